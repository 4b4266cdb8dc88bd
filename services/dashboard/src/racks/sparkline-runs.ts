export interface Point {
  /** RFC 3339. */
  at: string;
  avg: number;
}

interface Coordinates {
  x: number;
  y: number;
}

/**
 * Returns the coordinates of the points of a series, in runs without a gap. A single point becomes a run of two equal
 * coordinates, which a round line cap draws as a dot.
 *
 * @param step in seconds; points further apart have a gap between them
 */
export function sparklineRuns(
  points: readonly Point[],
  step: number,
  { width, height }: { width: number; height: number },
): Coordinates[][] {
  const times = points.map(({ at }) => Date.parse(at));
  const values = points.map(({ avg }) => avg);
  const [first = 0, last = 0] = [times.at(0), times.at(-1)];
  const lowest = Math.min(...values);
  const spread = Math.max(...values) - lowest;
  const span = last - first;

  const runs: Coordinates[][] = [];
  for (const [index, { avg }] of points.entries()) {
    const time = times[index] ?? 0;
    const point = {
      x: span === 0 ? width / 2 : round(((time - first) / span) * width),
      y: spread === 0 ? height / 2 : round(height - ((avg - lowest) / spread) * height),
    };
    const previous = times[index - 1];
    const run = runs.at(-1);
    if (run === undefined || previous === undefined || time - previous > 1.5 * step * 1_000)
      runs.push([point]);
    else run.push(point);
  }
  return runs.map((run) => (run.length === 1 ? [...run, ...run] : run));
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
