import type { ChartPoint, ChartRange } from './chart-series.ts';
import { describeDuration } from '../display/time/describe-time.ts';

/** Between two points that lie this many times further apart than usual, there is a gap. */
const UNUSUAL = 3;
/** Shorter silences, as a share of the range, are gaps in the line without a mark. */
const MARKED_SHARE = 0.03;

type Points = readonly Pick<ChartPoint, 'at'>[];

/**
 * Returns the gaps of a series, each from the point before to the point after it. A rack that sends every ten minutes
 * has no gap in a chart with a step of one minute.
 *
 * @param step in milliseconds
 */
export function findGaps(points: Points, step: number): ChartRange[] {
  const distances = points.slice(1).map(({ at }, index) => at - (points[index]?.at ?? at));
  const usual = distances.toSorted((a, b) => a - b)[distances.length >> 1] ?? 0;
  const longest = Math.max(1.5 * step, UNUSUAL * usual);
  return distances.flatMap((distance, index) => {
    const from = points[index]?.at ?? 0;
    return distance > longest ? [{ from, to: from + distance }] : [];
  });
}

/**
 * Returns the stretches of a range without readings, once the series has begun. The last one may reach to the end of the
 * range.
 */
export function findSilences(points: Points, step: number, { from, to }: ChartRange): ChartRange[] {
  const last = points.at(-1);
  if (last === undefined) return [];
  // A point at the end stands for "still silent": the usual distance decides whether that is unusual.
  const gaps = findGaps([...points, { at: to }], step);
  return gaps
    .map((gap) => ({ from: gap.from + step, to: gap.to }))
    .filter((silence) => silence.to - silence.from > MARKED_SHARE * (to - from));
}

/** "cold-room sent nothing for 3 h" */
export function describeSilence(label: string, { from, to }: ChartRange): string {
  return `${label} sent nothing for ${describeDuration(to - from)}`;
}
