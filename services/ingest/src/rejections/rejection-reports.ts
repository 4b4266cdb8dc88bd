import { randomUUID } from 'node:crypto';
import { MAX_REJECTIONS_PER_REPORT, OLDEST_REJECTION_MS } from '@cellarman/contracts';
import type { Rejected } from '@cellarman/contracts';
import { reportEvery } from '@cellarman/key-service-client';
import type { KeyServiceClient } from '@cellarman/key-service-client';
import type { Logger } from '@cellarman/telemetry';
import type { CountedRejection, RejectionCounts } from './rejection-counts.ts';

export interface RejectionReportsOptions {
  keyService: Pick<KeyServiceClient, 'reportRejections'>;
  counts: RejectionCounts;
  intervalMs: number;
  logger: Logger;
  clock?: { now(): number };
}

/** Reports rejections to key-service every few seconds. */
export interface RejectionReports {
  /** Reports now. Never rejects: the next report repeats what could not be reported. */
  report(): Promise<void>;
  /** Ends with a last report. */
  stop(): Promise<void>;
}

/**
 * Whether a report that got no answer was taken nobody knows here. So it is sent again as it was, under its number, until it
 * is answered, and key-service counts each number once.
 */
export function createRejectionReports(options: RejectionReportsOptions): RejectionReports {
  const { keyService, counts, intervalMs, logger, clock = performance } = options;
  const reporter = randomUUID();
  let sequence = 0;
  let unanswered: CountedRejection[] = [];
  let running: Promise<void> | undefined;

  async function send(): Promise<void> {
    for (;;) {
      if (unanswered.length === 0) {
        unanswered = counts.take(MAX_REJECTIONS_PER_REPORT);
        if (unanswered.length === 0) return;
        sequence++;
      }
      try {
        await keyService.reportRejections({ reporter, sequence, refusals: unanswered.map(toRejected) });
      } catch (error) {
        logger.debug({ err: error }, 'rejections could not be reported yet');
        return;
      }
      unanswered = [];
    }
  }

  function toRejected({ atMs, ...rejected }: CountedRejection): Rejected {
    return { ...rejected, agoMs: Math.min(OLDEST_REJECTION_MS, Math.max(0, Math.round(clock.now() - atMs))) };
  }

  function report(): Promise<void> {
    running ??= send().finally(() => (running = undefined));
    return running;
  }

  const stopReports = reportEvery(intervalMs, report);
  return {
    report,
    stop() {
      stopReports();
      return report();
    },
  };
}
