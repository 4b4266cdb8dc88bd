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
      for (const service of services) await writeFile(offsetFile(dataDir, service), '+0');
      return async () => undefined;
    },
    env: (dataDir) =>
      Object.fromEntries(
        services.map((service) => [
          service,
          {
            LD_PRELOAD: LIBRARY,
            FAKETIME_TIMESTAMP_FILE: offsetFile(dataDir, service),
            FAKETIME_NO_CACHE: '1',
            FAKETIME_DONT_FAKE_MONOTONIC: '1',
          },
        ]),
      ),
  };
}

/** Sets the clock of a service ahead of ours, or behind, and asserts that the service uses it. */
export async function setClock(run: RunningRound, service: Service, seconds: number): Promise<void> {
  await writeFile(offsetFile(run.harness.dataDir, service), `${seconds < 0 ? '' : '+'}${seconds}`);
  run.say(`the clock of ${service} is ${seconds} s off`);
  const { ingestUrl, sinkUrl, keyServiceUrl } = run.harness.product.run();
  const url = { ingest: ingestUrl, sink: sinkUrl, 'key-service': keyServiceUrl }[service];
  await until(`${service} has another time`, async () => {
    const { headers } = await fetch(`${url}/livez`);
    const off = (Date.parse(headers.get('date') ?? '') - Date.now()) / 1000;
    return Math.abs(off - seconds) < 10;
  });
}
