import type { ChartRange } from '../chart-series.ts';

/** Closer fingers move the range and do not zoom it. */
const LEAST_DISTANCE_PX = 24;
const SHORTEST_MS = 1_000;

/**
 * Returns a function that computes the range from the positions of the fingers, so that the times under them stay under them.
 *
 * @param starts where the gesture begins, in pixels from the left of the chart: one finger, or two, which also zoom
 * @param width of the chart, in pixels
 * @param now the range does not move further into the future
 */
export function followFingers(
  starts: readonly number[],
  { from, to }: ChartRange,
  width: number,
  now: number,
): (positions: readonly number[]) => ChartRange {
  const latest = Math.max(now, to);
  const perPixel = (to - from) / width;
  const [firstTime, secondTime] = starts.map((left) => from + left * perPixel);
  return ([first = 0, second]) => {
    const distance = second === undefined ? 0 : second - first;
    const zoomed = ((secondTime ?? 0) - (firstTime ?? 0)) / distance;
    const scale = Math.abs(distance) < LEAST_DISTANCE_PX ? perPixel : Math.max(zoomed, SHORTEST_MS / width);
    const start = (firstTime ?? from) - first * scale;
    const future = Math.max(0, start + width * scale - latest);
    return { from: start - future, to: start + width * scale - future };
  };
}
