import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { identify, stopLeftovers, writeRecord } from './process-record.ts';
import type { ProcessIdentity } from './process-record.ts';
import { startWatchdog } from './watchdog.ts';

const RECORD = 'processes.json';

/** A directory for what one run of a program needs. */
export interface ScratchDirectory {
  path: string;
  /** Call it right after the start of a process: it ends with this one. */
  watch: (pid: number) => void;
  /** When all is stopped. */
  remove: () => Promise<void>;
}

/**
 * Creates a directory that is removed when this process ends, however it ends: an error, Ctrl-C, `kill -9`. With it end the
 * processes in it: products and engines whose data directories are directly below it, and those passed to `watch`.
 */
export async function scratchDirectory(prefix: string): Promise<ScratchDirectory> {
  const path = await mkdtemp(join(tmpdir(), prefix));
  const watched: ProcessIdentity[] = [];
  const keepRecord = (): void =>
    writeRecord(join(path, RECORD), {
      supervisor: identify(process.pid) as ProcessIdentity,
      processes: watched,
    });
  keepRecord();
  const watchdog = startWatchdog(path);
  return {
    path,
    watch(pid) {
      const identity = identify(pid);
      if (identity !== undefined) watched.push(identity);
      keepRecord();
    },
    async remove() {
      await rm(path, { recursive: true, force: true });
      watchdog.dismiss();
    },
  };
}

/** Stops what is still recorded in the directory, then removes it. */
export async function clearScratchDirectory(path: string): Promise<void> {
  const inside = await readdir(path).catch(() => []);
  const records = [RECORD, ...inside.map((name) => join(name, RECORD))];
  await Promise.all(records.map((record) => stopLeftovers(join(path, record))));
  // A process that is ending may still have written a file.
  await rm(path, { recursive: true, force: true, maxRetries: 5 });
}
