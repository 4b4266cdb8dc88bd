import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createLimiter } from '../../src/rate-limit/limiter.ts';
import type { Limiter } from '../../src/rate-limit/limiter.ts';
import type { RatePolicy } from '../../src/rate-limit/rate-policy.ts';
import type { Leases } from '../../src/rate-limit/redis-leases.ts';
import { silent } from '../ingest-app.ts';
import { sharedBucket } from './shared-bucket.ts';

function replica(leases: Pick<Leases, 'lease' | 'leaseMore'>, clock: { now: number }, replicas = 1): Limiter {
  return createLimiter({ leases, replicas, maxKeys: 10, logger: silent, monotonic: () => clock.now });
}

/** Returns how many of the given number of requests pass. */
async function passed(limiter: Limiter, policy: RatePolicy, requests: number): Promise<number> {
  let count = 0;
  for (let n = 0; n < requests; n++) if ((await limiter.take('key', policy)) === 0) count++;
  return count;
}

describe('with leases', () => {
  it('lets a burst through and then the rate, exactly', async () => {
    const clock = { now: 1_000_000 };
    const limiter = replica(sharedBucket(clock), clock);
    const policy = { perSecond: 10, burst: 50 };
    expect(await passed(limiter, policy, 200)).toBe(50);
    clock.now += 1_000;
    expect(await passed(limiter, policy, 200)).toBe(10);
    clock.now += 100_000;
    expect(await passed(limiter, policy, 200)).toBe(50);
  });

  it('says how long to wait', async () => {
    const clock = { now: 0 };
    const limiter = replica(sharedBucket(clock), clock);
    const policy = { perSecond: 0.5, burst: 1 };
    expect(await limiter.take('key', policy)).toBe(0);
    expect(await limiter.take('key', policy)).toBe(2_000);
    clock.now += 1_500;
    expect(limiter.take('key', policy)).toBe(500);
  });

  it('requests more the faster a key is, never more than its part of the burst, and seldom', async () => {
    const clock = { now: 0 };
    const bucket = sharedBucket(clock);
    const limiter = replica(bucket, clock, 4);
    const policy = { perSecond: 1_000_000, burst: 4_000 };
    for (let ms = 0; ms < 1_000; ms++) {
      clock.now += 1;
      expect(await passed(limiter, policy, 50)).toBe(50);
    }
    expect(Math.max(...bucket.leases.map(({ wanted }) => wanted))).toBe(1_000);
    expect(bucket.leases.length).toBeLessThan(120);
  });

  it('decides from memory while a lease lasts, and also while the bucket is empty', async () => {
    const clock = { now: 0 };
    const bucket = sharedBucket(clock);
    const limiter = replica(bucket, clock);
    const policy = { perSecond: 1, burst: 8 };
    await limiter.take('key', policy);
    for (let n = 1; n < 8; n++) expect(limiter.take('key', policy)).toBe(0);
    expect(await limiter.take('key', policy)).toBeGreaterThan(0);
    const asked = bucket.leases.length;
    for (let n = 0; n < 100; n++) expect(limiter.take('key', policy)).toBeGreaterThan(0);
    expect(bucket.leases.length).toBe(asked);
  });

  it('returns what a slow key did not use', async () => {
    const clock = { now: 0 };
    const bucket = sharedBucket(clock);
    const limiter = replica(bucket, clock);
    const policy = { perSecond: 1, burst: 10 };
    for (let n = 0; n < 20; n++) {
      expect(await limiter.take('key', policy)).toBe(0);
      clock.now += 1_000;
    }
    expect(bucket.leases.some(({ unused }) => unused > 0)).toBe(true);
  });

  it('queries Redis seldom for a key that is slow and may send much', async () => {
    const clock = { now: 0 };
    const bucket = sharedBucket(clock);
    const limiter = replica(bucket, clock);
    const policy = { perSecond: 1_000, burst: 10_000 };
    for (let n = 0; n < 100; n++) {
      expect(await limiter.take('key', policy)).toBe(0);
      clock.now += 12_000;
    }
    expect(bucket.leases.length).toBeLessThan(25);
  });

  it('gives many that wait for one lease what the lease has', async () => {
    const clock = { now: 0 };
    const limiter = replica(sharedBucket(clock), clock);
    const policy = { perSecond: 1, burst: 20 };
    const taken = await Promise.all(Array.from({ length: 50 }, async () => limiter.take('key', policy)));
    expect(taken.filter((waitMs) => waitMs === 0).length).toBe(20);
  });

  it('never lets more through than all replicas together may, regardless of the caller', async () => {
    const step = fc.record({
      replica: fc.nat({ max: 2 }),
      requests: fc.oneof(fc.nat({ max: 30 }), fc.nat({ max: 600 })),
      ms: fc.oneof(fc.nat({ max: 400 }), fc.nat({ max: 3_000 })),
    });
    await fc.assert(
      fc.asyncProperty(
        fc.array(step, { maxLength: 60 }),
        // Of the larger ones a replica keeps a few tokens.
        fc.oneof(fc.integer({ min: 1, max: 60 }), fc.integer({ min: 500, max: 1_000 })),
        fc.integer({ min: 1, max: 100 }),
        async (steps, burst, perSecond) => {
          const clock = { now: 0 };
          const bucket = sharedBucket(clock);
          const replicas = [0, 1, 2].map(() => replica(bucket, clock, 3));
          let count = 0;
          for (const { replica: which, requests, ms } of steps) {
            count += await passed(replicas[which] as Limiter, { perSecond, burst }, requests);
            clock.now += ms;
          }
          expect(count).toBeLessThanOrEqual(burst + (clock.now * perSecond) / 1_000);
        },
      ),
      { numRuns: 200 },
    );
  });

  it('starts again when the policy of a key changes', async () => {
    const clock = { now: 0 };
    const limiter = replica(sharedBucket(clock), clock);
    expect(await passed(limiter, { perSecond: 1, burst: 5 }, 10)).toBe(5);
    clock.now += 1_000;
    expect(await passed(limiter, { perSecond: 1, burst: 100 }, 10)).toBe(1);
  });
});

describe('a batch', () => {
  /** Takes what a batch of this size costs. */
  async function batch(limiter: Limiter, policy: RatePolicy, readings: number): Promise<number> {
    const first = await limiter.take('key', policy);
    return first === 0 ? limiter.takeMore('key', policy, readings - 1, 1) : first;
  }

  it('takes all of its tokens or only the first', async () => {
    const clock = { now: 0 };
    const limiter = replica(sharedBucket(clock), clock);
    const policy = { perSecond: 10, burst: 100 };
    expect(await batch(limiter, policy, 60)).toBe(0);
    expect(limiter.left('key', policy)).toBe(40);
    expect(await batch(limiter, policy, 60)).toBe(2_100);
    expect(limiter.left('key', policy)).toBe(39);
    expect(await batch(limiter, policy, 39)).toBe(0);
    expect(limiter.left('key', policy)).toBe(0);
    expect(await passed(limiter, policy, 5)).toBe(0);
  });

  it('that is larger than the bucket passes when it is full, and leaves a debt', async () => {
    const clock = { now: 0 };
    const limiter = replica(sharedBucket(clock), clock);
    const policy = { perSecond: 10, burst: 50 };
    expect(await batch(limiter, policy, 120)).toBe(0);
    expect(limiter.left('key', policy)).toBe(-70);
    // 70 of debt, and one to go on with.
    clock.now += 7_050;
    expect(await passed(limiter, policy, 5)).toBe(0);
    clock.now += 100;
    expect(await passed(limiter, policy, 5)).toBe(1);
    // Not full by one: it waits for that one.
    clock.now += 4_900;
    expect(await batch(limiter, policy, 120)).toBeGreaterThan(0);
  });

  it('queries Redis seldom when many follow each other', async () => {
    const clock = { now: 0 };
    const bucket = sharedBucket(clock);
    const limiter = replica(bucket, clock);
    for (let n = 0; n < 1_000; n++) {
      expect(await batch(limiter, { perSecond: 1e6, burst: 1e6 }, 100)).toBe(0);
      clock.now += 1;
    }
    expect(bucket.leases.length).toBeLessThan(100);
  });

  it('and single readings together never pass more than the bucket has', async () => {
    const sizes = fc.array(
      fc.record({ readings: fc.integer({ min: 1, max: 30 }), pauseMs: fc.nat(300), replica: fc.nat(1) }),
      { maxLength: 40 },
    );
    await fc.assert(
      fc.asyncProperty(sizes, async (requests) => {
        const clock = { now: 0 };
        const policy = { perSecond: 10, burst: 40 };
        const bucket = sharedBucket(clock);
        const replicas = [replica(bucket, clock, 2), replica(bucket, clock, 2)] as const;
        let count = 0;
        for (const { readings, pauseMs, replica: at } of requests) {
          const limiter = replicas[at] as Limiter;
          if ((await batch(limiter, policy, readings)) === 0) count += readings;
          clock.now += pauseMs;
        }
        expect(count).toBeLessThanOrEqual(policy.burst + (clock.now * policy.perSecond) / 1_000 + 1);
      }),
      { numRuns: 200 },
    );
  });

  it('that has paid in parts passes a full bucket as if it had paid in one piece, and waits for all of it otherwise', async () => {
    const parts = fc.array(fc.integer({ min: 1, max: 60 }), { minLength: 1, maxLength: 8 });
    await fc.assert(
      fc.asyncProperty(parts, fc.integer({ min: 1, max: 200 }), fc.boolean(), async (counts, burst, away) => {
        const clock = { now: 0 };
        const none = () => Promise.reject(new Error('away'));
        const limiter = replica(away ? { lease: none, leaseMore: none } : sharedBucket(clock), clock);
        const policy = { perSecond: 10, burst };
        const pay = async () => {
          let paid = 1;
          let waitMs = await limiter.take('key', policy);
          for (const count of counts) {
            if (waitMs > 0) break;
            waitMs = await limiter.takeMore('key', policy, count, paid);
            paid += count;
          }
          return waitMs;
        };
        expect(await pay()).toBe(0);
        const total = counts.reduce((sum, count) => sum + count, 1);
        expect(await limiter.available('key', policy, Infinity)).toBe(burst - total);
        const waitMs = await pay();
        if (total <= burst / 2) expect(waitMs).toBe(0);
        if (total > burst) expect(waitMs).toBeGreaterThan(0);
        clock.now += waitMs + (burst * 1_000) / policy.perSecond;
        expect(await pay()).toBe(0);
      }),
      { numRuns: 200 },
    );
  });

  it('queries Redis for what is left only when this replica has not enough', async () => {
    const clock = { now: 0 };
    const bucket = sharedBucket(clock);
    const limiter = replica(bucket, clock);
    const policy = { perSecond: 1, burst: 1_000 };
    await limiter.take('key', policy);
    const asked = bucket.leases.length;
    expect(limiter.available('key', policy, 5)).toBeGreaterThanOrEqual(5);
    expect(bucket.leases.length).toBe(asked);
    expect(await limiter.available('key', policy, 500)).toBe(999);
    expect(bucket.leases.length).toBe(asked + 1);
  });

  it('is limited without Redis too', async () => {
    const clock = { now: 0 };
    const away = () => Promise.reject(new Error('away'));
    const limiter = replica({ lease: away, leaseMore: away }, clock);
    const policy = { perSecond: 10, burst: 50 };
    expect(await batch(limiter, policy, 120)).toBe(0);
    expect(limiter.left('key', policy)).toBe(-70);
    expect(await batch(limiter, policy, 2)).toBeGreaterThan(0);
    clock.now += 500;
    expect(limiter.left('key', policy)).toBe(-65);
    clock.now += 11_500;
    expect(await batch(limiter, policy, 50)).toBe(0);
  });
});

describe('without Redis', () => {
  it('each replica limits by itself, and tries Redis again after a second', async () => {
    const clock = { now: 0 };
    let asked = 0;
    let away = true;
    const bucket = sharedBucket(clock);
    const limiter = replica(
      {
        lease: (...request) => {
          asked++;
          return away ? Promise.reject(new Error('away')) : bucket.lease(...request);
        },
        leaseMore: bucket.leaseMore,
      },
      clock,
    );
    const policy = { perSecond: 10, burst: 20 };
    expect(await passed(limiter, policy, 100)).toBe(20);
    expect(asked).toBe(1);
    clock.now += 500;
    expect(await passed(limiter, policy, 100)).toBe(5);
    expect(asked).toBe(1);
    away = false;
    clock.now += 500;
    expect(await passed(limiter, policy, 100)).toBe(20);
    expect(bucket.leases.length).toBeGreaterThan(0);
  });
});
