import { expect, it } from 'vitest';
import { createTokenBucket } from '../../src/rate-limit/token-bucket.ts';

it('is full at first, refills at its rate, and reports the wait', () => {
  const bucket = createTokenBucket({ perSecond: 2, burst: 3 }, 0);
  expect([0, 0, 0, 0].map((now) => bucket.take(now))).toEqual([0, 0, 0, 500]);
  expect(bucket.take(400)).toBe(100);
  expect(bucket.take(500)).toBe(0);
  expect([1_000_000, 1_000_000, 1_000_000, 1_000_000].map((now) => bucket.take(now))).toEqual([0, 0, 0, 500]);
});

it('takes nothing for a clock that steps back', () => {
  const bucket = createTokenBucket({ perSecond: 1, burst: 1 }, 10_000);
  expect(bucket.take(10_000)).toBe(0);
  expect(bucket.take(0)).toBe(1_000);
  expect(bucket.take(1_000)).toBe(0);
});
