import { plural } from '../display/describe-number.ts';

const WIDTH = 96;
const HEIGHT = 20;

/** The readings of the last day by the hour, from zero. */
export function HoursLine({ hours }: { hours: readonly number[] }) {
  const total = hours.reduce((sum, count) => sum + count, 0);
  const highest = Math.max(1, ...hours);
  const step = WIDTH / Math.max(1, hours.length - 1);
  const points = hours.map((count, hour) => `${hour * step},${HEIGHT - (count / highest) * HEIGHT}`);
  return (
    <svg
      width={WIDTH}
      height={HEIGHT}
      viewBox={`-1 -1 ${WIDTH + 2} ${HEIGHT + 2}`}
      role="img"
      aria-label={`${plural(total, 'reading')} in the last 24 hours`}
    >
      <polyline points={points.join(' ')} fill="none" stroke="var(--chart-accepted)" strokeWidth={1.5} />
    </svg>
  );
}
