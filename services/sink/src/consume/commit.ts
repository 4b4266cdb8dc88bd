import type { Logger } from '@cellarman/telemetry';
import { retryUntilDone } from '@cellarman/concurrency';

export interface Committer {
  /** Remembers the next offset to read, by partition, and sends it soon. Never waits. */
  commit(offsets: ReadonlyMap<number, number>): void;
  /** Waits until everything is committed or the signal ends it. */
  settle(): Promise<void>;
}

/** Commits one after the other; while one is under way the newest offsets gather for the next. */
export function createCommitter(options: {
  send: (offsets: ReadonlyMap<number, number>) => Promise<void>;
  /** Errors after which trying again is pointless. */
  isFinal: (error: unknown) => boolean;
  logger: Logger;
  signal: AbortSignal;
}): Committer {
  const { send, isFinal, logger, signal } = options;
  const pending = new Map<number, number>();
  let running: Promise<void> | undefined;

  async function sendAll(): Promise<void> {
    while (pending.size > 0 && !signal.aborted) {
      const offsets = new Map(pending);
      pending.clear();
      await retryUntilDone(() => send(new Map([...offsets, ...pending])), {
        signal,
        isFinal,
        onRetry: (error, attempt) =>
          logger.warn({ err: error, attempt }, 'could not commit offsets, retrying'),
      });
    }
  }

  return {
    commit(offsets) {
      for (const [partition, offset] of offsets) pending.set(partition, offset);
      running ??= sendAll()
        // An ended assignment: its partitions are read again from what was committed.
        .catch(() => undefined)
        .finally(() => {
          running = undefined;
        });
    },
    async settle() {
      await running;
    },
  };
}
