import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { pidOf } from './faults/processes.ts';
import type { ProcessName } from './faults/processes.ts';
import type { RunningRound } from './round.ts';
import { countStored, viewOf } from './stored-rows.ts';

const run = promisify(execFile);

/** Resident memory of a process in MiB. */
async function memoryOf({ harness }: RunningRound, name: ProcessName): Promise<number> {
  const { stdout } = await run('ps', ['-o', 'rss=', '-p', String(pidOf(harness, name))]);
  return Math.round(Number(stdout) / 1024);
}

/** Notes the most memory that a process has while something happens. */
export async function withMemory<Result>(
  round: RunningRound,
  { name, as }: { name: ProcessName; as: string },
  work: () => Promise<Result>,
): Promise<Result> {
  const note = (): void => {
    // It may be gone at the moment; the next look finds its successor.
    void memoryOf(round, name).then(
      (mib) => round.note(as, mib),
      () => undefined,
    );
  };
  const timer = setInterval(note, 1_000);
  try {
    note();
    return await work();
  } finally {
    clearInterval(timer);
  }
}

/** Readings of the round that are acknowledged and not in the view yet. */
export async function backlogOf({ harness, ledger, cellar }: RunningRound): Promise<number> {
  const acknowledged = ledger.acknowledged();
  return Math.max(0, acknowledged - (await countStored({ ...viewOf(harness.product.run()), cellar })));
}
