import type { KeyRecord } from '@cellarman/contracts';
import type { Logger } from '@cellarman/telemetry';
import type { KeyService } from './key-service.ts';

/** Keys that are waiting to be told; beyond it the dashboard shows an older date. */
const MAX_WAITING = 10_000;
/** Uses in one request to key-service. */
const BATCH = 1_000;

export interface LastUsed {
  used(key: KeyRecord, at: Date): void;
  /** Tells what is there now. Never rejects: what could not be told is told next time. */
  report(): Promise<void>;
  stop(): Promise<void>;
}

/** Tells key-service about once a minute when each key was last used. */
export function reportLastUsed(options: {
  keyService: Pick<KeyService, 'reportLastUsed'>;
  intervalMs: number;
  logger: Logger;
}): LastUsed {
  const { keyService, intervalMs, logger } = options;
  const waiting = new Map<string, string>();
  let isStopped = false;
  let timer: NodeJS.Timeout | undefined;

  async function report(): Promise<void> {
    const told = [...waiting];
    for (let first = 0; first < told.length; first += BATCH) {
      const batch = told.slice(first, first + BATCH);
      try {
        await keyService.reportLastUsed(batch.map(([id, at]) => ({ id, at })));
      } catch (error) {
        logger.debug({ err: error }, 'last uses of keys could not be reported yet');
        return;
      }
      // A use that came meanwhile is newer, and stays.
      for (const [id, at] of batch) if (waiting.get(id) === at) waiting.delete(id);
    }
  }

  function schedule(): void {
    if (isStopped) return;
    // By chance, so that replicas do not report in step.
    timer = setTimeout(() => void report().finally(schedule), intervalMs * (0.75 + Math.random() / 2));
    timer.unref();
  }
  schedule();

  return {
    used({ id }, at) {
      if (waiting.size < MAX_WAITING || waiting.has(id)) waiting.set(id, at.toISOString());
    },
    report,
    async stop() {
      isStopped = true;
      clearTimeout(timer);
      await report();
    },
  };
}
