import { performance } from 'node:perf_hooks';
import { createByteBudget } from '../byte-budget.ts';
import type { ByteBudget } from '../byte-budget.ts';
import { createAdaptiveLimit } from './adaptive-limit.ts';
import type { AdaptiveLimit } from './adaptive-limit.ts';
import { createFairShare } from './fair-share.ts';
import type { FairShare } from './fair-share.ts';
import { createLoopDelay } from './loop-delay.ts';
import { createRefusalPace } from './refusal-pace.ts';
import type { RefusalPace } from './refusal-pace.ts';

/** Enough to see how fast Kafka is, when the limit has come down to it. */
const MIN_IN_FLIGHT = 64;

/** How full this process is. All routes share it. */
export interface Saturation {
  limit: AdaptiveLimit;
  places: FairShare;
  pace: RefusalPace;
  bodies: ByteBudget;
  stop: () => void;
}

export interface SaturationOptions {
  targetMs: number;
  maxInFlight: number;
  maxBodiesBytes: number;
}

export function createSaturation({ targetMs, maxInFlight, maxBodiesBytes }: SaturationOptions): Saturation {
  const { loopDelayMs, stop } = createLoopDelay();
  let measured = performance.eventLoopUtilization();

  function utilization(): number {
    const now = performance.eventLoopUtilization();
    const since = performance.eventLoopUtilization(now, measured);
    measured = now;
    return since.utilization;
  }

  return {
    limit: createAdaptiveLimit({ targetMs, max: maxInFlight, min: MIN_IN_FLIGHT, loopDelayMs }),
    places: createFairShare(),
    pace: createRefusalPace({ utilization }),
    bodies: createByteBudget({ maxBytes: maxBodiesBytes }),
    stop,
  };
}
