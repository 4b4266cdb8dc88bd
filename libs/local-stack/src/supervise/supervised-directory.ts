import { mkdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { identify, removeRecord, takeOver, writeRecord } from './process-record.ts';
import type { ProcessIdentity } from './process-record.ts';
import { createSupervisor } from './supervisor.ts';
import type { Supervisor, SupervisorOptions } from './supervisor.ts';
import { startWatchdog } from './watchdog.ts';

/**
 * A supervisor for the processes of one data directory. They do not outlive it, even if it is killed: a watchdog stops the
 * recorded processes immediately, and the next start stops any that are left.
 *
 * @throws {StartError} when another supervisor owns the directory
 */
export async function supervisedDirectory(
  dataDir: string,
  { onEvent }: SupervisorOptions,
): Promise<Supervisor> {
  const record = join(dataDir, 'processes.json');
  const logs = join(dataDir, 'logs');
  await takeOver(record);
  await keepLastLogs(logs);

  const supervisor = createSupervisor({
    onEvent: async (event) => {
      try {
        if (event.type === 'started') keepRecord();
        await onEvent(event);
      } catch (error) {
        // A full disk must not make the supervisor give up: the processes are more than the files about them.
        await onEvent({ type: 'unrecorded', name: event.name, error: error as Error });
      }
    },
  });
  keepRecord();
  const watchdog = startWatchdog(record);

  return {
    ...supervisor,
    stop: async () => {
      await supervisor.stop();
      removeRecord(record);
      watchdog.dismiss();
    },
  };

  function keepRecord(): void {
    const pids = Object.values(supervisor.processes()).flat();
    writeRecord(record, {
      supervisor: identify(process.pid) as ProcessIdentity,
      // Stopped from the last to the first, as an orderly stop does.
      processes: pids
        .toReversed()
        .map(identify)
        .filter((identity) => identity !== undefined),
    });
  }
}

/** The logs of this start and of the one before are kept, no more: they would grow for ever. */
async function keepLastLogs(logs: string): Promise<void> {
  await rm(`${logs}.previous`, { recursive: true, force: true });
  await rename(logs, `${logs}.previous`).catch(() => undefined);
  await mkdir(logs);
}
