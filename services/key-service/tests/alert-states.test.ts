import { describe, expect, test } from 'vitest';
import { backoffSeconds } from '../src/alerts/deliver/backoff.ts';
import { nextStates } from '../src/alerts/evaluate/next-states.ts';
import type { OpenAlert } from '../src/alerts/evaluate/next-states.ts';
import type { Observed } from '../src/alerts/evaluate/observed.ts';

const at = (minute: number): Date => new Date(Date.UTC(2026, 10, 23, 12, minute));
const NOW = at(30);
const seen = (since: number, brokenAt: number | null = null): Observed => ({
  ...{ subject: 'r', label: 'r', details: {} },
  ...{ since: at(since), brokenAt: brokenAt === null ? null : at(brokenAt) },
});
const open = (state: OpenAlert['state'], since: number): OpenAlert => ({
  ...{ id: '1', subject: 'r', state, since: at(since) },
});
const next = (alerts: OpenAlert[], observed: Observed[], holdMinutes = 10) =>
  nextStates(alerts, { subjects: observed, holdSeconds: holdMinutes * 60, isTruncated: false }, NOW);

describe('an alert', () => {
  test('is pending first, however long its condition has held', () => {
    expect(next([], [seen(0)])).toMatchObject({ begun: [{ subject: 'r' }], continued: [], ended: [] });
  });

  test.each([
    ['fires after its time', open('pending', 20), seen(20), { since: at(20), fires: true }],
    ['stays pending before', open('pending', 21), seen(21), { since: at(21), fires: false }],
    ['keeps an earlier start', open('pending', 15), seen(25), { since: at(15), fires: true }],
    ['learns of an earlier start', open('pending', 25), seen(15), { since: at(15), fires: true }],
    ['starts again after it was broken', open('pending', 15), seen(25, 24), { since: at(25), fires: false }],
    ['keeps firing', open('firing', 5), seen(28), { since: at(5), fires: true }],
  ])('%s', (_what, alert, observed, continued) => {
    expect(next([alert], [observed])).toMatchObject({ begun: [], continued: [continued], ended: [] });
  });

  test.each([
    ['when its condition does not hold', open('firing', 5), []],
    ['when it did not hold in between', open('firing', 5), [seen(28, 27)]],
    ['also before it fired', open('pending', 5), []],
  ])('ends %s', (_what, alert, observed) => {
    expect(next([alert], observed)).toMatchObject({ begun: [], continued: [], ended: [{ id: '1' }] });
  });
});

test('attempts are further and further apart, up to an hour', () => {
  expect([1, 2, 3, 4].map((attempts) => backoffSeconds(attempts, 0.5))).toEqual([2, 4, 8, 16]);
  expect([0, 0.999].map((random) => Math.round(backoffSeconds(3, random)))).toEqual([4, 12]);
  expect(backoffSeconds(1_000, 0.5)).toBe(3_600);
});
