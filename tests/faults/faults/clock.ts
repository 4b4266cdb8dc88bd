import { until } from '@cellarman/local-stack';
import { access, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { RunningRound } from '../round.ts';
import type { HarnessOptions } from '../harness.ts';

type Service = 'ingest' | 'sink' | 'key-service';

/** Of the Debian package faketime. */
const LIBRARY = '/usr/lib/x86_64-linux-gnu/faketime/libfaketime.so.1';
const offsetFile = (dataDir: string, service: Service): string => join(dataDir, `clock-${service}`);

/** For a harness: the wall clocks of these services can be set while they run. Intervals stay true. */
export function shiftableClocks(...services: Service[]): HarnessOptions {
  return {
    prepare: async (dataDir) => {
      await access(LIBRARY);
      for (const service of services) await writeOffset(offsetFile(dataDir, service), 0);
      return async () => undefined;
    },
    env: (dataDir) =>
      Object.fromEntries(
        services.map((service) => [
          service,
          { ...clockOf(offsetFile(dataDir, service)), FAKETIME_NO_CACHE: '1' },
        ]),
      ),
  };
}

/** For a process: its wall clock is as far off as the file states, such as `+10` seconds, a second after the file has changed. */
export function clockOf(file: string): Record<string, string> {
  return {
    LD_PRELOAD: LIBRARY,
    FAKETIME_TIMESTAMP_FILE: file,
    FAKETIME_CACHE_DURATION: '1',
    FAKETIME_DONT_FAKE_MONOTONIC: '1',
  };
}

/** Writes how many seconds a clock is ahead of ours, or behind. */
export async function writeOffset(file: string, seconds: number): Promise<void> {
  await writeFile(file, `${seconds < 0 ? '' : '+'}${seconds}`);
}

/** Sets the clock of a service ahead of ours, or behind, and asserts that the service uses it. */
export async function setClock(run: RunningRound, service: Service, seconds: number): Promise<void> {
  await writeOffset(offsetFile(run.harness.dataDir, service), seconds);
  run.say(`the clock of ${service} is ${seconds} s off`);
  const { ingestUrl, sinkUrl, keyServiceUrl } = run.harness.product.run();
  const url = { ingest: ingestUrl, sink: sinkUrl, 'key-service': keyServiceUrl }[service];
  await until(`${service} has another time`, async () => {
    const { headers } = await fetch(`${url}/livez`);
    const off = (Date.parse(headers.get('date') ?? '') - Date.now()) / 1000;
    return Math.abs(off - seconds) < 10;
  });
}
