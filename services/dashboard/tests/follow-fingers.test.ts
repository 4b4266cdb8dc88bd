import { expect, test } from 'vitest';
import { followFingers } from '../src/charts/gestures/follow-fingers.ts';

const HOUR = 3_600_000;
const range = { from: 10 * HOUR, to: 14 * HOUR };
const WIDTH = 400;

test('one finger moves the range by as much as it moves', () => {
  const move = followFingers([100], range, WIDTH, 24 * HOUR);
  expect(move([100])).toEqual(range);
  expect(move([200])).toEqual({ from: 9 * HOUR, to: 13 * HOUR });
  expect(move([0])).toEqual({ from: 11 * HOUR, to: 15 * HOUR });
});

test('two fingers zoom and move: the times under them stay under them', () => {
  const move = followFingers([100, 200], range, WIDTH, 24 * HOUR);
  expect(move([150, 250])).toEqual({ from: 9.5 * HOUR, to: 13.5 * HOUR });
  expect(move([0, 400])).toEqual({ from: 11 * HOUR, to: 12 * HOUR });
  expect(move([100, 150])).toEqual({ from: 9 * HOUR, to: 17 * HOUR });
});

test('fingers that meet or cross neither stop nor turn the time', () => {
  const move = followFingers([100, 200], range, WIDTH, 24 * HOUR);
  for (const positions of [
    [150, 150],
    [150, 151],
    [200, 100],
  ]) {
    const { from, to } = move(positions);
    expect(to).toBeGreaterThan(from);
    expect(to - from).toBeLessThanOrEqual(4 * HOUR);
  }
});

test('the range does not move into the future', () => {
  expect(followFingers([200], range, WIDTH, 14.5 * HOUR)([0])).toEqual({
    from: 10.5 * HOUR,
    to: 14.5 * HOUR,
  });
  expect(followFingers([200], range, WIDTH, 13 * HOUR)([100])).toEqual(range);
});
