import { until } from '@cellarman/local-stack';
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { RunningRound } from '../round.ts';
import type { Harness } from '../harness.ts';

/** All that one product consists of, the engines last. */
export const PROCESSES = [
  'ingest',
  'key-service',
  'sink',
  'kafka',
  'redis',
  'postgres',
  'clickhouse',
] as const;
export type ProcessName = (typeof PROCESSES)[number];

export function pidOf({ product }: Harness, name: ProcessName, index = 0): number {
  const pid = product.run().processes[name]?.[index];
  if (pid === undefined) throw new Error(`There is no ${name} number ${index}`);
  return pid;
}

/** Sends a signal that ends a process, and waits until another one has taken its place and all is ready. */
export async function replace(
  run: RunningRound,
  name: ProcessName,
  signal: 'SIGKILL' | 'SIGTERM' | 'SIGINT',
  index = 0,
): Promise<void> {
  const { harness } = run;
  const part = partOf(harness, name, index);
  const [before, timesReady] = [pidOf(harness, name, index), harness.timesReady(part)];
  run.say(`${signal} of ${part}, process ${before}`);
  const begun = performance.now();
  harness.product.kill(name, index, signal);
  await until(`${part} runs again`, () => harness.timesReady(part) > timesReady, { deadlineMs: 180_000 });
  if (pidOf(harness, name, index) === before) throw new Error(`${part} is still process ${before}`);
  run.note(`seconds until ${name} answers again`, secondsSince(begun));
  await untilAllIsReady(run, begun);
}

/** Stops a process in its tracks, goes on while `meanwhile` runs, and lets it go on. */
export async function whilePaused(
  run: RunningRound,
  name: ProcessName,
  meanwhile: () => Promise<void>,
  index = 0,
): Promise<void> {
  const { harness } = run;
  const pid = pidOf(harness, name, index);
  run.say(`SIGSTOP of ${partOf(harness, name, index)}, process ${pid}`);
  harness.product.kill(name, index, 'SIGSTOP');
  try {
    await until(`${name} stands still`, async () => (await stateOf(pid)).startsWith('T'));
    await meanwhile();
    if (!(await stateOf(pid)).startsWith('T')) throw new Error(`${name} did not stand still all the time`);
  } finally {
    harness.product.kill(name, index, 'SIGCONT');
  }
  const begun = performance.now();
  await untilAllIsReady(run, begun);
}

/** Kills a process, keeps it away while `meanwhile` runs, and starts it again. */
export async function whileDown(
  run: RunningRound,
  name: ProcessName,
  meanwhile: () => Promise<void>,
  index = 0,
): Promise<void> {
  const { harness } = run;
  const part = partOf(harness, name, index);
  const [before, timesReady] = [pidOf(harness, name, index), harness.timesReady(part)];
  run.say(`${part}, process ${before}, is taken down`);
  const release = await harness.product.takeDown(name, index);
  try {
    await meanwhile();
    if (harness.timesReady(part) !== timesReady) throw new Error(`${part} was not down all the time`);
  } finally {
    release();
  }
  const begun = performance.now();
  await until(`${part} runs again`, () => harness.timesReady(part) > timesReady, { deadlineMs: 180_000 });
  run.note(`seconds until ${name} answers again`, secondsSince(begun));
  await untilAllIsReady(run, begun);
}

/** Waits until each service says on /readyz that it can do its work. */
export async function untilReady({ product }: Harness, deadlineMs = 180_000): Promise<void> {
  const { ingestUrls, keyServiceUrl, sinkUrl } = product.run();
  for (const url of [...ingestUrls, keyServiceUrl, sinkUrl]) {
    const isReady = async (): Promise<boolean> =>
      (await fetch(`${url}/readyz`, { signal: AbortSignal.timeout(5_000) }).catch(() => undefined))?.ok ===
      true;
    await until(`${url} is ready`, isReady, { deadlineMs, everyMs: 100 });
  }
}

/** As the local stack calls one of several. */
function partOf({ product }: Harness, name: ProcessName, index: number): string {
  return (product.run().processes[name]?.length ?? 1) > 1 ? `${name}-${index + 1}` : name;
}

const run = promisify(execFile);

/** `S`, `R`, `T` when stopped … */
async function stateOf(pid: number): Promise<string> {
  return (await run('ps', ['-o', 'state=', '-p', String(pid)])).stdout.trim();
}

export function secondsSince(begun: number): number {
  return Math.round((performance.now() - begun) / 100) / 10;
}

async function untilAllIsReady(run: RunningRound, begun: number): Promise<void> {
  await untilReady(run.harness);
  run.note('seconds until everything is ready again', secondsSince(begun));
}
