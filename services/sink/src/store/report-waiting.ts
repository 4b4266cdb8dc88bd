import type { Readiness } from '@cellarman/lifecycle';
import type { Logger } from '@cellarman/telemetry';
import type { SinkMetrics } from '../metrics.ts';
import type { OnWaiting } from './store-batch.ts';

/** The part of the process that each step waits for. */
const PART_OF_STEP = { insert: 'clickhouse', 'dead-letter': 'kafka' } as const;

/** Says once that something is away, again every minute or so, and once that it is back. */
export function createWaitingReport(options: {
  readiness: Readiness;
  metrics: SinkMetrics;
  logger: Logger;
}): { onWaiting: OnWaiting; onStored: () => void } {
  const { readiness, metrics, logger } = options;
  let isWaiting = false;

  return {
    onWaiting(step, error, attempt, delayMs) {
      const part = PART_OF_STEP[step];
      isWaiting = true;
      metrics.retried(step);
      readiness.set(part, false, error instanceof Error ? error.message : String(error));
      // With pauses of about four seconds every 15th try is a minute.
      if (attempt === 1 || attempt % 15 === 0) {
        logger.warn({ err: error, attempt, delayMs, step }, `${part} is unavailable, readings wait`);
      }
    },
    onStored() {
      if (!isWaiting) return;
      isWaiting = false;
      for (const part of Object.values(PART_OF_STEP)) readiness.set(part, true);
      logger.info({}, 'storing readings again');
    },
  };
}
