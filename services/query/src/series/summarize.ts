export interface SeriesPoint {
  at: string;
  avg: number;
  min: number;
  max: number;
  last: number;
  count: number;
}

/** A series over the whole range. */
export type SeriesSummary = Omit<SeriesPoint, 'at'>;

/** Returns what the steps have in common, without another query. Returns null if there are none. */
export function summarize(points: readonly SeriesPoint[]): SeriesSummary | null {
  const last = points.at(-1);
  if (last === undefined) return null;
  const count = points.reduce((sum, point) => sum + point.count, 0);
  return {
    // Weighted before it is added: the sum of great values can leave the range of a double.
    avg: points.reduce((sum, point) => sum + point.avg * (point.count / count), 0),
    min: Math.min(...points.map(({ min }) => min)),
    max: Math.max(...points.map(({ max }) => max)),
    last: last.last,
    count,
  };
}
