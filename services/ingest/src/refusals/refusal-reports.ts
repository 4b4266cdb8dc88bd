import { randomUUID } from 'node:crypto';
import { MAX_REFUSALS_PER_REPORT, OLDEST_REFUSAL_MS } from '@cellarman/contracts';
import type { Refused } from '@cellarman/contracts';
import type { Logger } from '@cellarman/telemetry';
import type { KeyService } from '../key-cache/key-service.ts';
import type { CountedRefusal, RefusalCounts } from './refusal-counts.ts';

export interface RefusalReportsOptions {
  keyService: Pick<KeyService, 'reportRefusals'>;
  counts: RefusalCounts;
  intervalMs: number;
  logger: Logger;
  clock?: { now(): number };
}

/** Tells key-service every few seconds what was refused. */
export interface RefusalReports {
  start(): void;
  /** Reports what is there now. Never rejects: what could not be told is told next time. */
  report(): Promise<void>;
  stop(): void;
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
  let timer: NodeJS.Timeout | undefined;

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

  function schedule(): void {
    // By chance, so that replicas do not report in step.
    timer = setTimeout(() => void report().finally(schedule), intervalMs * (0.75 + Math.random() / 2));
    timer.unref();
  }

  return { start: schedule, report, stop: () => clearTimeout(timer) };
}
