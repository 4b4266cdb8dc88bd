import { expect, it } from 'vitest';
import { createExceededBatches } from '../../src/batch/exceeded-batches.ts';
import { RateExceeded } from '../../src/rate-limit/charge.ts';

const exceeded = (waitMs: number) => new RateExceeded({ perSecond: 1, burst: 1 }, waitMs);

function create() {
  const clock = { now: 0 };
  const batches = createExceededBatches(() => clock.now);
  const exceed = (keyId: string, length: number, waitMs: number) =>
    expect(batches.guard(keyId, length, () => Promise.reject(exceeded(waitMs)))).rejects.toThrow(
      RateExceeded,
    );
  const isHeld = async (keyId: string, length: number) => {
    let worked = false as boolean;
    const work = async () => void (worked = true);
    await batches.guard(keyId, length, work).catch((error: unknown) => {
      if (!(error instanceof RateExceeded)) throw error;
    });
    return !worked;
  };
  return { clock, exceed, isHeld };
}

it('holds back batches of the key that are not shorter, for as long as they have to wait, one second at most', async () => {
  const { clock, exceed, isHeld } = create();
  await exceed('a', 100, 300);
  await exceed('b', 100, 60_000);
  expect([
    await isHeld('a', 100),
    await isHeld('a', 101),
    await isHeld('a', 99),
    await isHeld('c', 100),
  ]).toEqual([true, true, false, false]);
  clock.now = 300;
  expect([await isHeld('a', 100), await isHeld('b', 100)]).toEqual([false, true]);
  clock.now = 1_000;
  expect(await isHeld('b', 100)).toBe(false);
});

it('a batch that was held back does not prolong the time', async () => {
  const { clock, exceed, isHeld } = create();
  await exceed('a', 100, 60_000);
  clock.now = 900;
  await exceed('a', 100, 60_000);
  await exceed('a', 200, 60_000);
  clock.now = 1_000;
  expect(await isHeld('a', 100)).toBe(false);
});

it('the shortest that exceeded counts', async () => {
  const { exceed, isHeld } = create();
  await exceed('a', 100, 1_000);
  await exceed('a', 50, 1_000);
  expect([await isHeld('a', 60), await isHeld('a', 40)]).toEqual([true, false]);
});
