import { monitorEventLoopDelay } from 'node:perf_hooks';

/** Each tick wakes an idle process. */
const RESOLUTION_MS = 20;
const NANOSECONDS = 1e6;

/** How much later than due this process does things, in milliseconds, on average since the last call. */
export function createLoopDelay(): { loopDelayMs: () => number; stop: () => void } {
  const histogram = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  histogram.enable();
  return {
    loopDelayMs() {
      // The histogram holds the distances between ticks of a timer.
      const { count, mean } = histogram;
      histogram.reset();
      return count === 0 ? 0 : Math.max(0, mean / NANOSECONDS - RESOLUTION_MS);
    },
    stop: () => histogram.disable(),
  };
}
