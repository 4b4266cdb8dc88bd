import { randomUUID } from 'node:crypto';
import { MAX_REJECTION_DETAIL, MAX_REJECTIONS_PER_REPORT, OLDEST_REJECTION_MS } from '@cellarman/contracts';
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

const NONE = { missing: 0, unknown: 0 };

/** Reports rejections to key-service every few seconds. */
export interface RejectionReports {
  /** Reports now. Never rejects: the next report repeats what could not be reported. */
  report(): Promise<void>;
  /** Ends with a last report. */
  stop(): Promise<void>;
}

/**
 * If a report gets no response, it is unknown whether key-service has counted it. So it is sent again unchanged, with the same
 * sequence number, until it is acknowledged, and key-service counts each number once.
 */
export function createRejectionReports(options: RejectionReportsOptions): RejectionReports {
  const { keyService, counts, intervalMs, logger, clock = performance } = options;
  const reporter = randomUUID();
  let sequence = 0;
  let unanswered: CountedRejection[] = [];
  let unauthenticated = NONE;
  let running: Promise<void> | undefined;

  async function send(): Promise<void> {
    for (;;) {
      if (isAnswered()) {
        unanswered = counts.take(MAX_REJECTIONS_PER_REPORT);
        unauthenticated = counts.takeUnauthenticated();
        if (isAnswered()) return;
        sequence++;
      }
      try {
        await keyService.reportRejections({
          ...{ reporter, sequence, refusals: unanswered.map(toRejected), unauthenticated },
        });
      } catch (error) {
        logger.debug({ err: error }, 'could not report rejections, will retry');
        return;
      }
      unanswered = [];
      unauthenticated = NONE;
    }
  }

  function isAnswered(): boolean {
    return unanswered.length + unauthenticated.missing + unauthenticated.unknown === 0;
  }

  function toRejected({ atMs, detail, ...rejected }: CountedRejection): Rejected {
    const agoMs = Math.min(OLDEST_REJECTION_MS, Math.max(0, Math.round(clock.now() - atMs)));
    return {
      ...rejected,
      ...(detail !== undefined && detail !== '' && { detail: detail.slice(0, MAX_REJECTION_DETAIL) }),
      agoMs,
    };
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
