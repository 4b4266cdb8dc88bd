import { expect, it } from 'vitest';
import { sparklineRuns } from '../src/racks/sparkline-runs.ts';

const BOX = { width: 100, height: 10 };
const at = (minute: number): string => new Date(minute * 60_000).toISOString();

it('a series fills its box, and has a gap without readings', () => {
  const points = [
    { at: at(0), avg: 1 },
    { at: at(1), avg: 3 },
    { at: at(4), avg: 2 },
  ];
  expect(sparklineRuns(points, 60, BOX)).toEqual([
    [
      { x: 0, y: 10 },
      { x: 25, y: 0 },
    ],
    // A single point is a dot.
    [
      { x: 100, y: 5 },
      { x: 100, y: 5 },
    ],
  ]);
});

it('a value that never changes lies in the middle', () => {
  const points = [0, 1, 2].map((minute) => ({ at: at(minute), avg: 7 }));
  expect(sparklineRuns(points, 60, BOX)[0]?.map(({ y }) => y)).toEqual([5, 5, 5]);
});

it('nothing is nothing', () => {
  expect(sparklineRuns([], 60, BOX)).toEqual([]);
});
