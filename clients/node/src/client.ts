import { extname } from 'node:path';
import { Worker } from 'node:worker_threads';
import { ClientError } from './client-error.ts';
import { createCommits } from './commits.ts';
import { settingsOf } from './options.ts';
import type { ClientOptions, Problem } from './options.ts';
import { bodyOf } from './reading.ts';
import type { Reading } from './reading.ts';
import { createStamps } from './stamps.ts';
import type { ClientStatus, RejectedReading } from './status.ts';
import { connectWorker } from './worker/connect-worker.ts';

export interface PutOptions {
  /** Old readings, such as an import: they never delay others, and use only a share of the rate limit. */
  backfill?: boolean;
}

export interface Client {
  /**
   * Resolves when the readings are on disk: from then on they are sent even if the process is killed or the power fails. A list
   * is stored as a whole or not at all.
   *
   * Does not wait for ingest. Await it, so that a program that produces faster than the disk writes is slowed down.
   *
   * @throws {ClientError} `invalid_reading`, `clock_not_set`, `spool_full`, `spool_failed`, `closed`
   */
  put(readings: Reading | readonly Reading[], options?: PutOptions): Promise<void>;
  status(): Promise<ClientStatus>;
  /** Returns the readings that ingest rejected for good, oldest first: at most the last 10,000. */
  setAside(): Promise<RejectedReading[]>;
  /** Sends the readings again that were set aside, for example after the key got another rack. @returns how many */
  requeue(): Promise<number>;
  /** Sends what waits for at most `deadlineMs`. What still waits then is sent after the next start. @default 5000 */
  close(deadlineMs?: number): Promise<{ waiting: number }>;
}

/** @throws {ClientError} `invalid_options`, `spool_locked`, `spool_failed` */
export async function openClient(options: ClientOptions): Promise<Client> {
  const settings = settingsOf(options);
  const { cellar, now = Date.now, onProblem = warn } = options;
  // The sources are TypeScript, the package is JavaScript.
  const file = new URL(`./worker/worker${extname(import.meta.url)}`, import.meta.url);
  const worker = await connectWorker(new Worker(file, { workerData: settings }), onProblem);
  const commits = createCommits((group) => worker.request({ group }), settings.groupMs);
  const stamp = createStamps(now);
  let closed: Promise<{ waiting: number }> | undefined;

  const call = async <T>(what: 'status' | 'setAside' | 'requeue'): Promise<T> => {
    if (closed !== undefined) throw new ClientError('closed', 'the client is closed');
    return (await worker.request({ call: what })) as T;
  };

  async function close(deadlineMs: number): Promise<{ waiting: number }> {
    await commits.settled();
    const result = (await worker.request({ closeAfterMs: deadlineMs })) as { waiting: number };
    await worker.terminate();
    return result;
  }

  return {
    async put(readings, { backfill = false } = {}) {
      if (closed !== undefined) throw new ClientError('closed', 'the client is closed');
      const list = Array.isArray(readings) ? (readings as readonly Reading[]) : [readings as Reading];
      const bodies = list.map((reading) => bodyOf(reading, cellar, stamp));
      if (bodies.length > 0) await commits.add(bodies, backfill);
    },
    async status() {
      const status = await call<Omit<ClientStatus, 'oldestAt'> & { oldestAt: number | null }>('status');
      const { oldestAt } = status;
      return { ...status, oldestAt: oldestAt === null ? null : new Date(oldestAt).toISOString() };
    },
    async setAside() {
      const rows = await call<{ body: string; code: string; error: string }[]>('setAside');
      return rows.map(({ body, code, error }) => {
        return { reading: JSON.parse(body) as RejectedReading['reading'], code, error };
      });
    },
    requeue: () => call('requeue'),
    close: (deadlineMs = 5_000) => (closed ??= close(deadlineMs)),
  };
}

function warn({ code, message }: Problem): void {
  process.emitWarning(message, { type: 'CellarmanWarning', code });
}
