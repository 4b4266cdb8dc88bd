import { randomUUID } from 'node:crypto';
import { MAX_REFUSALS_PER_REPORT, OLDEST_REFUSAL_MS } from '@cellarman/contracts';
import type { Refused } from '@cellarman/contracts';
import { reportEvery } from '@cellarman/key-service-client';
import type { KeyServiceClient } from '@cellarman/key-service-client';
import type { Logger } from '@cellarman/telemetry';
import type { CountedRefusal, RefusalCounts } from './refusal-counts.ts';

export interface RefusalReportsOptions {
  keyService: Pick<KeyServiceClient, 'reportRefusals'>;
  counts: RefusalCounts;
  intervalMs: number;
  logger: Logger;
  clock?: { now(): number };
}

/** Reports rejections to key-service every few seconds. */
export interface RefusalReports {
  /** Reports now. Never rejects: the next report repeats what could not be reported. */
  report(): Promise<void>;
  /** Ends with a last report. */
  stop(): Promise<void>;
}

/**
 * Whether a report that got no answer was taken nobody knows here. So it is sent again as it was, under its number, until it
 * is answered, and key-service counts each number once.
 */
export function createRefusalReports(options: RefusalReportsOptions): RefusalReports {
  const { keyService, counts, intervalMs, logger, clock = performance } = options;
  const reporter = randomUUID();
  let sequence = 0;
  let unanswered: CountedRefusal[] = [];
  let running: Promise<void> | undefined;

  async function send(): Promise<void> {
    for (;;) {
      if (unanswered.length === 0) {
        unanswered = counts.take(MAX_REFUSALS_PER_REPORT);
        if (unanswered.length === 0) return;
        sequence++;
      }
      try {
        await keyService.reportRefusals({ reporter, sequence, refusals: unanswered.map(toRefused) });
      } catch (error) {
        logger.debug({ err: error }, 'what was refused could not be reported yet');
        return;
      }
      unanswered = [];
    }
  }

  function toRefused({ atMs, ...refused }: CountedRefusal): Refused {
    return { ...refused, agoMs: Math.min(OLDEST_REFUSAL_MS, Math.max(0, Math.round(clock.now() - atMs))) };
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
