import { performance } from 'node:perf_hooks';
import type { Config } from '../config.ts';
import { createByteBudget } from './byte-budget.ts';
import type { ByteBudget } from './byte-budget.ts';
import { createAdaptiveLimit } from './adaptive-limit.ts';
import type { AdaptiveLimit } from './adaptive-limit.ts';
import { createFairShare } from './fair-share.ts';
import type { FairShare } from './fair-share.ts';
import { createLoopDelay } from './loop-delay.ts';
import { createRejectionPace } from './rejection-pace.ts';
import type { RejectionPace } from './rejection-pace.ts';

/** Enough to see how fast Kafka is, when the limit has come down to it. */
const MIN_IN_FLIGHT = 64;

/** How full this process is. All routes share it. */
export interface Saturation {
  limit: AdaptiveLimit;
  slots: FairShare;
  pace: RejectionPace;
  bodies: ByteBudget;
  stop: () => void;
}

export function createSaturation(
  config: Pick<Config, 'OVERLOAD_TARGET_MS' | 'MAX_IN_FLIGHT_REQUESTS' | 'MAX_BODIES_BYTES'>,
): Saturation {
  const { loopDelayMs, stop } = createLoopDelay();
  let measured = performance.eventLoopUtilization();

  function utilization(): number {
    const now = performance.eventLoopUtilization();
    const since = performance.eventLoopUtilization(now, measured);
    measured = now;
    return since.utilization;
  }

  return {
    limit: createAdaptiveLimit({
      targetMs: config.OVERLOAD_TARGET_MS,
      max: config.MAX_IN_FLIGHT_REQUESTS,
      min: MIN_IN_FLIGHT,
      loopDelayMs,
    }),
    slots: createFairShare(),
    pace: createRejectionPace({ utilization }),
    bodies: createByteBudget({ maxBytes: config.MAX_BODIES_BYTES }),
    stop,
  };
}
