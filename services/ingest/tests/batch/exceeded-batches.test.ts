import { describe, expect, it } from 'vitest';
import { createExceededBatches } from '../../src/batch/exceeded-batches.ts';
import { RateExceeded } from '../../src/rate-limit/charge.ts';

const exceeded = (waitMs: number, tokens = 1) =>
  new RateExceeded({ perSecond: 1, burst: 10_000 }, { waitMs, tokens });

function create() {
  const clock = { now: 0 };
  const batches = createExceededBatches(() => clock.now);
  const exceed = (keyId: string, length: number, waitMs: number, tokens?: number) =>
    expect(batches.guard(keyId, length, () => Promise.reject(exceeded(waitMs, tokens)))).rejects.toThrow(
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
  return { batches, clock, exceed, isHeld };
}

it('holds back batches of the key that are not shorter for one second', async () => {
  const { clock, exceed, isHeld } = create();
  await exceed('a', 100, 300);
  await exceed('b', 100, 60_000);
  expect([
    await isHeld('a', 100),
    await isHeld('a', 101),
    await isHeld('a', 99),
    await isHeld('c', 100),
  ]).toEqual([true, true, false, false]);
  clock.now = 1_000;
  expect([await isHeld('a', 100), await isHeld('b', 100)]).toEqual([false, false]);
});

describe('for ten seconds', () => {
  /** A key that can raise its charge to `left` tokens. */
  const charge = (left: number) => ({
    assertCanRaiseTo(tokens: number) {
      if (tokens > left) throw exceeded(1_000, tokens);
    },
  });

  it('a batch that is not shorter than one that exceeded needs as many tokens', async () => {
    const { batches, clock, exceed } = create();
    await exceed('a', 100, 1_000, 5_000);
    clock.now = 9_999;
    await expect(batches.assertPayable('a', 100, charge(4_999))).rejects.toThrow(RateExceeded);
    await batches.assertPayable('a', 100, charge(5_000));
    await batches.assertPayable('a', 99, charge(0));
    await batches.assertPayable('b', 100, charge(0));
  });

  it('and not longer, however often it is sent', async () => {
    const { batches, clock, exceed } = create();
    await exceed('a', 100, 1_000, 5_000);
    for (clock.now = 1_000; clock.now < 10_000; clock.now += 1_000) {
      const work = () => batches.assertPayable('a', 100, charge(0));
      await expect(batches.guard('a', 100, work)).rejects.toThrow(RateExceeded);
    }
    await batches.assertPayable('a', 100, charge(0));
  });

  it('one that turns out to need more replaces what is remembered', async () => {
    const { batches, clock, exceed } = create();
    await exceed('a', 100, 1_000, 5_000);
    clock.now = 5_000;
    await exceed('a', 100, 1_000, 6_000);
    clock.now = 14_000;
    await expect(batches.assertPayable('a', 100, charge(5_999))).rejects.toThrow(RateExceeded);
  });
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
