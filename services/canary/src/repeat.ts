import { startLoop } from '@cellarman/concurrency';
import type { Logger } from '@cellarman/telemetry';
import type { CanaryMetrics } from './metrics.ts';
import { RoundTripFailure } from './round-trip.ts';
import type { RoundTrip } from './round-trip.ts';

/** One round trip after the other, with a rest between them, until it is stopped. */
export function repeat(options: {
  roundTrip: RoundTrip;
  intervalMs: number;
  metrics: CanaryMetrics;
  logger: Logger;
}): { stop(): Promise<void> } {
  const { roundTrip, intervalMs, metrics, logger } = options;
  return startLoop({
    ...{ intervalMs, logger },
    failed: 'a round trip could not be made',
    async work(signal) {
      const begun = performance.now();
      try {
        await roundTrip(signal);
        metrics.succeeded((performance.now() - begun) / 1_000);
      } catch (error) {
        if (signal.aborted || !(error instanceof RoundTripFailure)) throw error;
        metrics.failed(error.step);
        logger.warn({ step: error.step, reason: error.message }, 'a round trip failed');
      }
    },
    onFailure(error) {
      throw error;
    },
  });
}
