import { beforeEach, describe, expect, it } from 'vitest';
import { createAdaptiveLimit } from '../../src/shed-load/adaptive-limit.ts';
import type { AdaptiveLimit } from '../../src/shed-load/adaptive-limit.ts';

const TARGET_MS = 150;
const WINDOW_MS = 100;

let limit: AdaptiveLimit;
let now: number;

beforeEach(() => {
  limit = createAdaptiveLimit({ targetMs: TARGET_MS, min: 64, max: 10_000, loopDelayMs: () => 0 });
  now = 0;
  limit.adapt(now, 0);
});

/**
 * A store that does `perSecond` and takes at least `fastestMs`, while clients want `wanted` readings on their way at a time.
 *
 * @returns how long readings took in the last window
 */
function run(seconds: number, store: { perSecond: number; fastestMs: number; wanted: number }): number {
  let waitMs = 0;
  for (const until = now + seconds * 1_000; now < until;) {
    const inFlight = Math.min(store.wanted, limit.limit);
    if (store.wanted > limit.limit) limit.rejected();
    waitMs = Math.max(store.fastestMs, (inFlight / store.perSecond) * 1_000);
    limit.acknowledged(waitMs);
    now += WINDOW_MS;
    limit.adapt(now, inFlight);
  }
  return waitMs;
}

describe('a queue that stands', () => {
  it.each([200, 1_000, 10_000])('is cut to what %i per second clear in the target time', (perSecond) => {
    run(10, { perSecond, fastestMs: 5, wanted: 100_000 });
    const waits = Array.from({ length: 100 }, () => run(0.1, { perSecond, fastestMs: 5, wanted: 100_000 }));
    // Also without swinging: no window is far from another.
    expect(Math.max(...waits)).toBeLessThan(Math.max(TARGET_MS, 64_000 / perSecond) * 1.6);
    expect(Math.min(...waits)).toBeGreaterThan(TARGET_MS * 0.8);
  });

  it('follows a store that becomes slower and faster', () => {
    run(10, { perSecond: 10_000, fastestMs: 5, wanted: 100_000 });
    expect(run(3, { perSecond: 1_000, fastestMs: 5, wanted: 100_000 })).toBeLessThan(TARGET_MS * 1.1);
    expect(run(3, { perSecond: 10_000, fastestMs: 5, wanted: 100_000 })).toBeGreaterThan(TARGET_MS * 0.9);
    expect(limit.limit).toBeGreaterThan(1_350);
  });

  it('is let grow again when nobody is rejected any more', () => {
    run(10, { perSecond: 1_000, fastestMs: 5, wanted: 100_000 });
    expect(limit.limit).toBeLessThan(200);
    run(10, { perSecond: 1_000, fastestMs: 5, wanted: 10 });
    expect(limit.limit).toBe(10_000);
  });
});

describe('what is no overload', () => {
  it('a store that pauses for less than a second rejects nobody', () => {
    run(5, { perSecond: 10_000, fastestMs: 5, wanted: 100 });
    run(0.9, { perSecond: 100, fastestMs: 900, wanted: 5_000 });
    run(5, { perSecond: 10_000, fastestMs: 5, wanted: 100 });
    expect(limit.limit).toBe(10_000);
  });

  it('a store that is far away is not starved: rejecting does not make it faster', () => {
    run(30, { perSecond: 10_000, fastestMs: 400, wanted: 1_000 });
    expect(limit.limit).toBeGreaterThanOrEqual(1_000);
  });

  it('readings that fail say nothing', () => {
    for (let second = 0; second < 10; second++) limit.adapt((now += 1_000), 5_000);
    expect(limit.limit).toBe(10_000);
  });
});

it('counts how late the event loop is', () => {
  limit = createAdaptiveLimit({ targetMs: TARGET_MS, min: 64, max: 10_000, loopDelayMs: () => 75 });
  run(10, { perSecond: 10_000, fastestMs: 5, wanted: 100_000 });
  expect(limit.limit).toBeLessThan(1_000);
});
