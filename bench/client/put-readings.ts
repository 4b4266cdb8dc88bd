/** A program that uses the client, in a process of its own. Its argument is a {@link PutRun}; it prints a {@link PutResult}. */
import { setTimeout as sleep } from 'node:timers/promises';
import { openClient } from '@cellarman/client';
import type { ClientOptions } from '@cellarman/client';

export interface PutRun {
  options: ClientOptions;
  /** How many readings one `put` has. */
  list: number;
  /** How many readings are put at a time. */
  concurrent: number;
  seconds: number;
  /** Whether to wait until everything is sent. */
  sends: boolean;
}

export interface PutResult {
  put: number;
  sent: number;
  /** Of all threads. */
  cpuSeconds: number;
  putSeconds: number;
  seconds: number;
  /** Growth of the resident memory from the first tenth of the time to the end. */
  grownBytes: number;
  putWhileGrowing: number;
}

const { options, list, concurrent, seconds, sends } = JSON.parse(process.argv[2] ?? '') as PutRun;
const client = await openClient({ ...options, onProblem: () => undefined });
const begun = performance.now();
const passed = (): number => (performance.now() - begun) / 1_000;

let put = 0;
let early: { resident: number; put: number } | undefined;
while (passed() < seconds) {
  const puts = Array.from({ length: concurrent / list }, () =>
    client.put(
      Array.from({ length: list }, () => {
        return { rack: `rack-${put % 1_000}`, keg: 'temperature', value: put++ / 10_000 };
      }),
    ),
  );
  await Promise.all(puts);
  if (passed() > seconds / 10) early ??= { resident: process.memoryUsage.rss(), put };
}
const putSeconds = passed();
const grownBytes = process.memoryUsage.rss() - (early?.resident ?? 0);
while (sends && (await client.status()).waiting > 0) await sleep(5);
const { sent } = await client.status();
const { user, system } = process.cpuUsage();
const result: PutResult = {
  ...{ put, sent, cpuSeconds: (user + system) / 1e6, putSeconds, seconds: passed() },
  ...{ grownBytes, putWhileGrowing: put - (early?.put ?? 0) },
};
process.stdout.write(JSON.stringify(result));
await client.close(0);
