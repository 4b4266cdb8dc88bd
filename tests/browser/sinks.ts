import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { RunFile } from '@cellarman/local-stack';
import type { Harness } from './harness.ts';

/** Returns the processes as they are now: one that ended was started again. */
export async function sinkPids({ dataDir }: Pick<Harness, 'dataDir'>): Promise<readonly number[]> {
  const run = JSON.parse(await readFile(join(dataDir, 'run.json'), 'utf8')) as RunFile;
  return run.processes['sink'] ?? [];
}

export async function signalSinks(
  harness: Pick<Harness, 'dataDir'>,
  signal: 'SIGSTOP' | 'SIGCONT',
): Promise<void> {
  for (const pid of await sinkPids(harness)) process.kill(pid, signal);
}
