import { setTimeout as delay } from 'node:timers/promises';
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
  const stopped = new AbortController();
  const { signal } = stopped;

  async function once(): Promise<void> {
    const begun = performance.now();
    try {
      await roundTrip(signal);
      metrics.succeeded((performance.now() - begun) / 1_000);
    } catch (error) {
      if (signal.aborted) return;
      if (!(error instanceof RoundTripFailure)) throw error;
      metrics.failed(error.step);
      logger.warn({ step: error.step, reason: error.message }, 'a round trip failed');
    }
  }

  async function run(): Promise<void> {
    while (!signal.aborted) {
      await once();
      await delay(intervalMs, undefined, { signal }).catch(() => undefined);
    }
  }

  const running = run();
  return {
    async stop() {
      stopped.abort();
      await running;
    },
  };
}
