import { expect, it } from 'vitest';
import { openCharge, RateExceeded } from '../../src/rate-limit/charge.ts';
import { createLimiter } from '../../src/rate-limit/limiter.ts';
import type { RatePolicy } from '../../src/rate-limit/rate-policy.ts';
import { silent } from '../ingest-app.ts';
import { sharedBucket } from './shared-bucket.ts';

/** One replica with the bucket of a key that nothing refills. */
function startBucket(burst: number) {
  const policy: RatePolicy = { perSecond: 0.001, burst };
  const clock = { now: 0 };
  const leases = sharedBucket(clock);
  const limiter = createLimiter({
    leases,
    replicas: 1,
    maxKeys: 1,
    logger: silent,
    monotonic: () => clock.now,
  });
  return {
    clock,
    left: () => limiter.available('key', policy, Infinity),
    async charge() {
      expect(await limiter.take('key', policy)).toBe(0);
      return openCharge({ limiter, keyId: 'key', policy, paid: 1 });
    },
  };
}

it('takes only what is missing', async () => {
  const bucket = startBucket(100);
  const charge = await bucket.charge();
  for (const tokens of [1, 10, 5, 40, 40]) await charge.raiseTo(tokens);
  expect(await bucket.left()).toBe(60);
});

it('keeps what was paid when it cannot be raised, and says when all of it can pass', async () => {
  const bucket = startBucket(100);
  await (await bucket.charge()).raiseTo(30);
  const charge = await bucket.charge();
  await charge.raiseTo(20);
  const rejected = Promise.resolve(charge.raiseTo(80));
  await expect(rejected).rejects.toThrow(RateExceeded);
  await expect(rejected).rejects.toMatchObject({ waitMs: (80 - 50) * 1e6 });
  expect(await bucket.left()).toBe(50);
});

it('can be raised to what is left and no further, and looking takes nothing', async () => {
  const bucket = startBucket(100);
  await (await bucket.charge()).raiseTo(30);
  const charge = await bucket.charge();
  await charge.assertCanRaiseTo(70, 70);
  expect(charge.reach).toBe(70);
  const rejected = Promise.resolve(charge.assertCanRaiseTo(71, 90));
  await expect(rejected).rejects.toMatchObject({ name: 'RateExceeded', waitMs: (90 - 69) * 1e6 });
  expect(await bucket.left()).toBe(69);
});

it('can be raised to anything when the bucket was full before', async () => {
  const bucket = startBucket(100);
  const charge = await bucket.charge();
  await charge.raiseTo(60);
  await charge.assertCanRaiseTo(100_000, 100_000);
  expect(charge.reach).toBe(Infinity);
  await charge.raiseTo(250);
  await charge.raiseTo(300);
  expect(await bucket.left()).toBe(-200);
});

it('debits also what is not there, and no more than the burst', async () => {
  const bucket = startBucket(100);
  const charge = await bucket.charge();
  await charge.debit(60);
  await charge.debit(60);
  expect(await bucket.left()).toBe(-21);
  await charge.debit(1e6);
  expect(await bucket.left()).toBe(-121);
  expect(await Promise.resolve(charge.raiseTo(2)).catch((error: unknown) => error)).toBeInstanceOf(
    RateExceeded,
  );
});
