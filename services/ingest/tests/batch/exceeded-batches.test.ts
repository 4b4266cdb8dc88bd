import { expect, it } from 'vitest';
import { createExceededBatches } from '../../src/batch/exceeded-batches.ts';
import { RateExceeded } from '../../src/rate-limit/charge.ts';

const exceeded = (waitMs: number) => new RateExceeded({ perSecond: 1, burst: 1 }, waitMs);

function create() {
  const clock = { now: 0 };
  const batches = createExceededBatches(() => clock.now);
  const isHeld = (keyId: string, length: number) => {
    try {
      batches.check(keyId, length);
      return false;
    } catch (error) {
      if (!(error instanceof RateExceeded)) throw error;
      return true;
    }
  };
  return { clock, batches, isHeld };
}

it('holds back batches of the key that are not shorter, for as long as they have to wait, one second at most', () => {
  const { clock, batches, isHeld } = create();
  batches.note('a', 100, exceeded(300));
  batches.note('b', 100, exceeded(60_000));
  expect([isHeld('a', 100), isHeld('a', 101), isHeld('a', 99), isHeld('c', 100)]).toEqual([
    true,
    true,
    false,
    false,
  ]);
  clock.now = 300;
  expect([isHeld('a', 100), isHeld('b', 100)]).toEqual([false, true]);
  clock.now = 1_000;
  expect(isHeld('b', 100)).toBe(false);
});

it('a batch that was held back does not prolong the time', () => {
  const { clock, batches, isHeld } = create();
  batches.note('a', 100, exceeded(60_000));
  clock.now = 900;
  batches.note('a', 100, exceeded(60_000));
  batches.note('a', 200, exceeded(60_000));
  clock.now = 1_000;
  expect(isHeld('a', 100)).toBe(false);
});

it('the shortest that exceeded counts', () => {
  const { batches, isHeld } = create();
  batches.note('a', 100, exceeded(1_000));
  batches.note('a', 50, exceeded(1_000));
  expect([isHeld('a', 60), isHeld('a', 40)]).toEqual([true, false]);
});
