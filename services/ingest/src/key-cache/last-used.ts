import type { LastUsedRequest } from '@cellarman/contracts';
import type { Logger } from '@cellarman/telemetry';
import type { KeyService } from './key-service.ts';
import type { KnownKey } from './known-key.ts';

/** Uses in one request to key-service. */
const BATCH = 1_000;
/** Uses that wait for key-service to come back; beyond it the dashboard shows an older date. */
const MAX_WAITING = 100_000;

export interface LastUsedOptions {
  keyService: Pick<KeyService, 'reportLastUsed'>;
  intervalMs: number;
  logger: Logger;
}

/** Reports to key-service about once a minute when each key was last used. */
export interface LastUsed {
  /** @param known the keys in memory, read before each report */
  start(known: () => Iterable<KnownKey>): void;
  /** Keeps the last use of a key that leaves the memory of this replica. */
  keep(key: KnownKey): void;
  /** Reports now. Never rejects: the next report repeats what could not be reported. */
  report(): Promise<void>;
  stop(): void;
}

export function createLastUsed(options: LastUsedOptions): LastUsed {
  const { keyService, intervalMs, logger } = options;
  const waiting = new Map<string, number>();
  let known: () => Iterable<KnownKey> = () => [];
  let timer: NodeJS.Timeout | undefined;

  function keep(key: KnownKey): void {
    if (key.lastUsedMs <= key.reportedMs) return;
    if (waiting.size >= MAX_WAITING && !waiting.has(key.record.id)) return;
    waiting.set(key.record.id, Math.max(key.lastUsedMs, waiting.get(key.record.id) ?? 0));
    key.reportedMs = key.lastUsedMs;
  }

  async function report(): Promise<void> {
    for (const key of known()) keep(key);
    const told = [...waiting];
    for (let first = 0; first < told.length; first += BATCH) {
      const batch = told.slice(first, first + BATCH);
      try {
        await keyService.reportLastUsed(batch.map(toUse));
      } catch (error) {
        logger.debug(
          { err: error, keys: told.length - first },
          'last uses of keys could not be reported yet',
        );
        return;
      }
      // A use that came while the report was on its way is newer, and stays.
      for (const [id, at] of batch) if (waiting.get(id) === at) waiting.delete(id);
    }
  }

  function schedule(): void {
    // Jittered, so that replicas do not report in step.
    timer = setTimeout(() => void report().finally(schedule), intervalMs * (0.75 + Math.random() / 2));
    timer.unref();
  }

  return {
    start(source) {
      known = source;
      schedule();
    },
    keep,
    report,
    stop: () => clearTimeout(timer),
  };
}

function toUse([id, at]: [string, number]): LastUsedRequest['uses'][number] {
  return { id, at: new Date(at).toISOString() };
}
