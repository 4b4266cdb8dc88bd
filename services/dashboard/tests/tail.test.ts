import { expect, test } from 'vitest';
import type { Arrivals } from '../src/live/tail.ts';
import { addArrivals, EMPTY_TAIL, latencyOf, MAX_ROWS, release } from '../src/live/tail.ts';

const START = Date.parse('2026-11-23T08:00:00Z');
const arrival = (second: number) => ({
  ...{ rack: 'oak-1', keg: 'temperature', value: second, visibleAfterMs: 240 },
  timestamp: new Date(START + second * 1_000).toISOString(),
  receivedAt: new Date(START + second * 1_000).toISOString(),
  storedAt: new Date(START + second * 1_000 + 100).toISOString(),
});
const event = (seconds: number[], more = 0, isComplete = true): Arrivals => ({
  readings: seconds.map(arrival),
  more,
  isComplete,
});
const shown = ({ rows }: { rows: typeof EMPTY_TAIL.rows }) =>
  rows.map((row) => (row.kind === 'reading' ? row.arrival.value : `+ ${row.count}`));

test('the newest reading is first, and one that comes again after a reconnect is shown once', () => {
  const first = addArrivals(EMPTY_TAIL, event([2, 1]), false);
  const second = addArrivals(first, event([3, 2]), false);
  expect(shown(second)).toEqual([3, 2, 1]);
  expect(addArrivals(second, event([3, 1]), false)).toBe(second);
});

test('readings that were not sent are a row below those of their event', () => {
  const before = addArrivals(EMPTY_TAIL, event([2, 1]), false);
  const tail = addArrivals(before, event([4, 3], 120), false);
  expect(shown(tail)).toEqual([4, 3, '+ 120', 2, 1]);
  const unread = addArrivals(tail, event([5], 0, false), false);
  expect(unread.rows[1]).toMatchObject({ kind: 'more', isComplete: false });
});

test('what arrives while the table stands still is counted, and shown afterwards', () => {
  const before = addArrivals(EMPTY_TAIL, event([1]), false);
  const held = addArrivals(addArrivals(before, event([2]), true), event([4, 3], 10), true);
  expect(shown(held)).toEqual([1]);
  expect(held.held.count).toBe(13);
  // One that is held already does not count again.
  expect(addArrivals(held, event([4]), true)).toBe(held);
  const released = release(held);
  expect(shown(released)).toEqual([4, 3, '+ 10', 2, 1]);
  expect(released.held).toEqual({ rows: [], count: 0 });
});

test('the table has a bound, also while it stands still', () => {
  const many = Array.from({ length: MAX_ROWS + 50 }, (_, second) => second).reverse();
  expect(shown(addArrivals(EMPTY_TAIL, event(many), false))).toEqual(many.slice(0, MAX_ROWS));
  const { held } = addArrivals(EMPTY_TAIL, event(many), true);
  expect([held.rows.length, held.count]).toEqual([MAX_ROWS, MAX_ROWS + 50]);
});

test('the latency is measured, or at least that of the insert', () => {
  expect(latencyOf(arrival(1))).toEqual({ ms: 240, isExact: true });
  expect(latencyOf({ ...arrival(1), visibleAfterMs: null })).toEqual({ ms: 100, isExact: false });
});
