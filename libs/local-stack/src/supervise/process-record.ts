import { execFileSync } from 'node:child_process';
import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { pollUntil } from './poll.ts';
import { StartError } from '../start-error.ts';

/** A process that nobody else can be taken for: its id, and when it began. */
export interface ProcessIdentity {
  pid: number;
  began: string;
}

/** The processes of one data directory: who watches over them, and in which order they are stopped. */
export interface ProcessRecord {
  supervisor: ProcessIdentity;
  processes: ProcessIdentity[];
}

const STOP_DEADLINE_MS = 20_000;

/** Undefined when there is no such process. */
export function identify(pid: number): ProcessIdentity | undefined {
  try {
    if (process.platform !== 'linux') {
      return {
        pid,
        began: execFileSync('ps', ['-o', 'lstart=', '-p', String(pid)], { encoding: 'utf8' }).trim(),
      };
    }
    // Fields 3 (state) and 22 (start), counted from behind the name, which may hold anything.
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? [];
    const [state, began] = [fields[0], fields[19]];
    // A zombie has ended; in a container nobody may ever collect it.
    return state === 'Z' || began === undefined ? undefined : { pid, began };
  } catch {
    return undefined;
  }
}

export function writeRecord(file: string, record: ProcessRecord): void {
  writeFileSync(`${file}.new`, `${JSON.stringify(record)}\n`);
  renameSync(`${file}.new`, file);
}

export function removeRecord(file: string): void {
  rmSync(file, { force: true });
}

/**
 * Takes over a data directory from a supervisor that is gone: what it left running is stopped.
 *
 * @throws {StartError} when that supervisor is still there
 */
export async function takeOver(file: string): Promise<void> {
  const record = readRecord(file);
  if (record === undefined) return;
  const { supervisor } = record;
  if (supervisor.pid !== process.pid && isAlive(supervisor)) {
    throw new StartError(
      `Cellarman already runs here, as process ${supervisor.pid}: stop that one first (Ctrl-C).`,
    );
  }
  await stopLeftovers(file);
}

/** Stops the recorded processes one after the other, each orderly if it will. */
export async function stopLeftovers(file: string): Promise<void> {
  for (const identity of readRecord(file)?.processes ?? []) {
    if (!isAlive(identity)) continue;
    // PostgreSQL takes SIGTERM as a wish to wait for its clients; the others take both the same.
    signal(identity.pid, 'SIGINT');
    if (await pollUntil(() => !isAlive(identity), { deadlineMs: STOP_DEADLINE_MS })) continue;
    signal(identity.pid, 'SIGKILL');
    await pollUntil(() => !isAlive(identity), { deadlineMs: STOP_DEADLINE_MS });
  }
}

function readRecord(file: string): ProcessRecord | undefined {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as ProcessRecord;
  } catch {
    return undefined;
  }
}

/** A process with the same id but another start time is a different one. */
function isAlive({ pid, began }: ProcessIdentity): boolean {
  return identify(pid)?.began === began;
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch {
    // It has just ended.
  }
}
