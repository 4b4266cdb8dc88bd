import type { LastUsedRequest } from '@cellarman/contracts';
import type { Logger } from '@cellarman/telemetry';
import type { KeyServiceClient } from './create-client.ts';
import { reportEvery } from './report-every.ts';

/** Uses in one request to key-service. */
const BATCH = 1_000;

export interface LastUsedOptions {
  keyService: Pick<KeyServiceClient, 'reportLastUsed'>;
  /** About how often uses are reported. */
  intervalMs: number;
  /** Keys that wait for key-service to come back; beyond it the dashboard shows an older date. */
  maxWaiting: number;
  logger: Logger;
  /** Called before each report, where uses are collected only then. */
  collect?: () => void;
}

/** Reports to key-service when each key was last used. */
export interface LastUsed {
  /**
   * @param atMs milliseconds since 1970
   * @returns false when too many wait
   */
  used(id: string, atMs: number): boolean;
  /** Reports now. Never rejects: the next report repeats what could not be reported. */
  report(): Promise<void>;
  /** Ends with a last report. */
  stop(): Promise<void>;
}

export function createLastUsed(options: LastUsedOptions): LastUsed {
  const { keyService, intervalMs, maxWaiting, logger, collect } = options;
  const waiting = new Map<string, number>();

  async function report(): Promise<void> {
    collect?.();
    const uses = [...waiting];
    for (let first = 0; first < uses.length; first += BATCH) {
      const batch = uses.slice(first, first + BATCH);
      try {
        await keyService.reportLastUsed(batch.map(toUse));
      } catch (error) {
        logger.debug(
          { err: error, keys: uses.length - first },
          'could not report when keys were last used, will retry',
        );
        return;
      }
      // A use that came while the report was being sent is newer, and stays.
      for (const [id, atMs] of batch) if (waiting.get(id) === atMs) waiting.delete(id);
    }
  }

  const stopReports = reportEvery(intervalMs, report);
  return {
    used(id, atMs) {
      if (waiting.size >= maxWaiting && !waiting.has(id)) return false;
      waiting.set(id, Math.max(atMs, waiting.get(id) ?? 0));
      return true;
    },
    report,
    stop() {
      stopReports();
      return report();
    },
  };
}

function toUse([id, atMs]: [string, number]): LastUsedRequest['uses'][number] {
  return { id, at: new Date(atMs).toISOString() };
}
