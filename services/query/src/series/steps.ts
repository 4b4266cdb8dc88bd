const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** Steps that people know from clocks and calendars, in milliseconds. */
const STEPS = [
  ...[1, 2, 5, 10, 20, 50, 100, 200, 500],
  ...[1, 2, 5, 10, 15, 30].map((count) => count * SECOND),
  ...[1, 2, 5, 10, 15, 30].map((count) => count * MINUTE),
  ...[1, 2, 3, 6, 12].map((count) => count * HOUR),
];

/**
 * The smallest step with which a range needs no more points than that.
 *
 * Steps begin where the clock says so, not where the range does, so a range can touch one more than fits in it.
 */
export function stepFor({ rangeMs, points }: { rangeMs: number; points: number }): number {
  const least = rangeMs / Math.max(points - 1, 1);
  return STEPS.find((step) => step >= least) ?? Math.ceil(least / DAY) * DAY;
}
