import { sparklineRuns } from './sparkline-runs.ts';
import type { Point } from './sparkline-runs.ts';

const WIDTH = 120;
const HEIGHT = 24;

export interface SparklineProps {
  label: string;
  points: readonly Point[];
  /** In seconds. */
  step: number;
}

/** The averages of a series as a small line. Gaps: no readings. */
export function Sparkline({ label, points, step }: SparklineProps) {
  const runs = sparklineRuns(points, step, { width: WIDTH, height: HEIGHT });
  return (
    <svg
      width={WIDTH}
      height={HEIGHT}
      viewBox={`-2 -2 ${WIDTH + 4} ${HEIGHT + 4}`}
      role="img"
      aria-label={label}
    >
      {runs.map((run) => (
        <polyline
          key={run[0]?.x}
          points={run.map(({ x, y }) => `${x},${y}`).join(' ')}
          fill="none"
          stroke="var(--chart-accepted)"
          strokeWidth={1.5}
          strokeLinecap="round"
          strokeLinejoin="round"
        />
      ))}
    </svg>
  );
}
