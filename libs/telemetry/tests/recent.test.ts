import { expect, test } from 'vitest';
import { createRecentCounts, createRecentDurations } from '../src/index.ts';

test('percentiles are of the window, to two figures', () => {
  const recent = createRecentDurations(3);
  expect(recent.percentiles()).toBeNull();
  for (let milliseconds = 1; milliseconds <= 100; milliseconds++) recent.record(milliseconds);
  const { p50 = 0, p99 = 0 } = recent.percentiles() ?? {};
  expect(p50).toBeGreaterThan(49);
  expect(p50).toBeLessThan(51.5);
  expect(p99).toBeGreaterThan(98);
  expect(p99).toBeLessThan(101);
});

test('durations leave the window with their slice', () => {
  const recent = createRecentDurations(3);
  recent.record(5_000);
  recent.advance();
  recent.record(1);
  expect(recent.percentiles()?.p99).toBeGreaterThan(4_900);
  recent.advance();
  recent.advance();
  expect(recent.percentiles()?.p99).toBeLessThan(1.1);
  recent.advance();
  expect(recent.percentiles()).toBeNull();
});

test('durations that are not positive or too long count as the shortest and the longest', () => {
  const recent = createRecentDurations(2);
  recent.record(-3);
  expect(recent.percentiles()?.p50).toBe(0.001);
  recent.record(1e12);
  expect(recent.percentiles()?.p99).toBeGreaterThan(590_000);
});

test('counts are what was added within the window', () => {
  let now = 0;
  let accepted = 100;
  const recent = createRecentCounts(() => ({ accepted }), 2, { now: () => now });
  const add = (count: number) => {
    accepted += count;
    now += 2_000;
  };
  add(10);
  expect(recent.read()).toEqual({ seconds: 2, counts: { accepted: 10 } });
  recent.advance();
  add(20);
  expect(recent.read()).toEqual({ seconds: 4, counts: { accepted: 30 } });
  recent.advance();
  add(40);
  expect(recent.read()).toEqual({ seconds: 4, counts: { accepted: 60 } });
});
