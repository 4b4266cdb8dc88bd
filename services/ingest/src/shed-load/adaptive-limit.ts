/** How often the limit is adapted. Long enough for a few sends to Kafka, short enough to follow a burst. */
const WINDOW_MS = 100;
/** A pause of Kafka or of this process that is shorter only makes readings wait; a queue that stands longer is shed. */
const STANDING_MS = 1_000;
const FASTEST_SHRINK = 0.5;
const FASTEST_GROWTH = 1.5;
/** While nobody is rejected the limit goes back to its maximum, slowly: a flood that comes back is met again. */
const RECOVERY = 1.05;
/** Windows at the minimum that show that waiting does not come from a queue. */
const WINDOWS_AT_MINIMUM = 5;

export interface AdaptiveLimitOptions {
  /** How long a reading may wait on average while there is more work than can be done, in milliseconds. */
  targetMs: number;
  max: number;
  /** Never less, so that it can be seen when things get better. */
  min: number;
  /** How long the event loop makes everything wait, in milliseconds, on average since the last call. */
  loopDelayMs: () => number;
}

/**
 * How many readings may be on their way at a time, found from how long they take.
 *
 * Work that arrives faster than it can be done waits, and each reading waits longer than the one before. What has to be
 * bounded is that time, and how many readings it is depends on how fast Kafka and this process are just now. So the limit is
 * scaled by target / measured, as Envoy's gradient controller and Netflix's concurrency-limits do. As in CoDel only a queue
 * that stands counts, and the target is given: a fastest time that is learned moves up while the overload lasts.
 */
export interface AdaptiveLimit {
  readonly limit: number;
  /** Records how long the acknowledgement of a reading took. Failures do not count: one dead partition is no overload. */
  acknowledged(durationMs: number): void;
  rejected(): void;
  /** Call it for each request; it looks at the clock by itself. */
  adapt(now: number, inFlight: number): void;
}

export function createAdaptiveLimit({
  targetMs,
  max,
  min,
  loopDelayMs,
}: AdaptiveLimitOptions): AdaptiveLimit {
  const least = Math.min(min, max);
  let limit = max;
  let target = targetMs;
  let windowEnd = -Infinity;
  let count = 0;
  let sumMs = 0;
  let rejections = 0;
  let mostInFlight = 0;
  let slowSince: number | undefined;
  let atMinimum = 0;

  function scale(waitMs: number, now: number): void {
    if (waitMs > target) slowSince ??= now;
    else slowSince = undefined;
    if (waitMs < targetMs) target = targetMs;

    const stands = limit < max || (slowSince !== undefined && now - slowSince >= STANDING_MS);
    // From what was on its way: a limit that nobody had reached can be far above.
    if (waitMs > target && stands)
      limit = Math.min(limit, mostInFlight) * Math.max(FASTEST_SHRINK, target / waitMs);
    else if (rejections > 0) limit *= Math.min(FASTEST_GROWTH, target / waitMs);
    limit = Math.min(max, Math.max(least, limit));
    giveInAtMinimum(waitMs);
  }

  /** Few are let in and they still take long: so it is Kafka that is slow, and rejecting more would help nobody. */
  function giveInAtMinimum(waitMs: number): void {
    atMinimum = limit === least && waitMs > target ? atMinimum + 1 : 0;
    if (atMinimum < WINDOWS_AT_MINIMUM) return;
    target = waitMs * 1.5;
    atMinimum = 0;
  }

  return {
    get limit() {
      return limit;
    },
    acknowledged(durationMs) {
      count++;
      sumMs += durationMs;
    },
    rejected() {
      rejections++;
    },
    adapt(now, inFlight) {
      mostInFlight = Math.max(mostInFlight, inFlight);
      if (now < windowEnd) return;
      if (count > 0) scale(sumMs / count + loopDelayMs(), now);
      if (rejections === 0) limit = Math.min(max, limit * RECOVERY);
      windowEnd = now + WINDOW_MS;
      count = sumMs = rejections = mostInFlight = 0;
    },
  };
}
