import fc from 'fast-check';
import { afterEach, describe, expect, it } from 'vitest';
import { createLimiter } from '../../src/rate-limit/limiter.ts';
import { createLimitsOf } from '../../src/rate-limit/limits-of.ts';
import type { Leases } from '../../src/rate-limit/redis-leases.ts';
import { takeAll } from '../../src/rate-limit/take-all.ts';
import { silent, startTestApp } from '../ingest-app.ts';
import type { TestApp } from '../ingest-app.ts';
import { keyRecord } from '../../../../libs/key-service-client/tests/key-record.ts';
import { sharedBucket } from './shared-bucket.ts';

const limitsOf = createLimitsOf({ perSecond: 1_000_000, burst: 1_000_000 });

/** What replicas let through for keys of one cellar. */
function startFleet(options: {
  replicas: number;
  keys: number;
  key: { perSecond: number; burst: number };
  cellar: { perSecond: number; burst: number };
}) {
  const clock = { now: 0 };
  const buckets = new Map<string, ReturnType<typeof sharedBucket>>();
  const bucketOf = (id: string) => {
    const bucket = buckets.get(id) ?? sharedBucket(clock);
    buckets.set(id, bucket);
    return bucket;
  };
  let isAway = false;
  const asRedis = <Result>(ask: () => Promise<Result>): Promise<Result> =>
    isAway ? Promise.reject(new Error('Redis is unreachable')) : ask();
  const leases: Pick<Leases, 'lease' | 'leaseMore'> = {
    lease: (id, ...rest) => asRedis(() => bucketOf(id).lease(id, ...rest)),
    leaseMore: (id, ...rest) => asRedis(() => bucketOf(id).leaseMore(id, ...rest)),
  };
  const limiters = Array.from({ length: options.replicas }, () =>
    createLimiter({
      leases,
      replicas: options.replicas,
      maxKeys: 100,
      logger: silent,
      monotonic: () => clock.now,
    }),
  );
  const records = Array.from({ length: options.keys }, (_, i) =>
    keyRecord({
      id: `key-${i}`,
      ratePerSecond: options.key.perSecond,
      rateBurst: options.key.burst,
      cellarRatePerSecond: options.cellar.perSecond,
      cellarRateBurst: options.cellar.burst,
    }),
  );
  return {
    clock,
    setAway: (away: boolean) => (isAway = away),
    async passes(replica: number, key: number): Promise<boolean> {
      const limiter = limiters[replica % options.replicas];
      const record = records[key % options.keys];
      if (limiter === undefined || record === undefined) throw new Error('out of range');
      return (await takeAll(limiter, limitsOf(record))) === undefined;
    },
  };
}

const fleet = fc.record({
  replicas: fc.integer({ min: 1, max: 4 }),
  keys: fc.integer({ min: 1, max: 5 }),
  key: fc.record({ perSecond: fc.integer({ min: 1, max: 50 }), burst: fc.integer({ min: 1, max: 400 }) }),
  cellar: fc.record({ perSecond: fc.integer({ min: 1, max: 50 }), burst: fc.integer({ min: 1, max: 400 }) }),
});
const steps = fc.array(
  fc.record({
    replica: fc.nat(3),
    key: fc.nat(4),
    requests: fc.integer({ min: 1, max: 100 }),
    restMs: fc.integer({ min: 0, max: 2_000 }),
  }),
  { maxLength: 30 },
);

describe('the rate limit of a cellar', () => {
  it.each([
    ['with Redis', false],
    ['while Redis is unreachable', true],
  ])('binds all its keys together on all replicas, and each key its own, %s', async (_case, away) => {
    await fc.assert(
      fc.asyncProperty(fleet, steps, async (options, work) => {
        const fleetUnderTest = startFleet(options);
        const { clock, setAway } = fleetUnderTest;
        setAway(away);
        const byKey = new Map<string, number>();
        let passed = 0;
        for (const { replica, key, requests, restMs } of work) {
          clock.now += restMs;
          for (let n = 0; n < requests; n++) {
            if (!(await fleetUnderTest.passes(replica, key))) continue;
            passed += 1;
            // A replica without Redis limits a key by itself.
            const id = `${key % options.keys}${away ? `@${replica % options.replicas}` : ''}`;
            byKey.set(id, (byKey.get(id) ?? 0) + 1);
          }
        }
        const { replicas, key, cellar } = options;
        const most = ({ perSecond, burst }: typeof key) => burst + (clock.now * perSecond) / 1_000;
        // Each replica holds at least one token of its own, and keeps 1/500 of the burst.
        const slack = (away ? replicas : 0) + replicas * Math.floor(cellar.burst / 500);
        expect(passed).toBeLessThanOrEqual(most(cellar) + slack);
        for (const count of byKey.values()) expect(count).toBeLessThanOrEqual(most(key));
      }),
    );
  });

  it('can be used up by several keys, each below its own, on several replicas', async () => {
    const limit = { perSecond: 1, burst: 60 };
    const { clock, ...started } = startFleet({ replicas: 3, keys: 3, key: limit, cellar: limit });
    const send = async (requests: number) => {
      let passed = 0;
      for (let n = 0; n < requests; n++) if (await started.passes(n, Math.floor(n / 3))) passed += 1;
      return passed;
    };
    expect(await send(150)).toBe(60);
    clock.now += 20_000;
    expect(await send(90)).toBe(20);
  });
});

describe('a request that exceeds', () => {
  let app: TestApp;
  afterEach(() => app.close());

  const post = (path: string, apiKey: string, body: string, type = 'application/json') =>
    fetch(`${app.url}${path}`, {
      method: 'POST',
      headers: { 'x-api-key': apiKey, 'content-type': type },
      body,
    });

  it('the limit of the cellar is reported as such, with its policy', async () => {
    app = await startTestApp({ limiter: { take: (id) => (id === 'cellar:demo' ? 1_500 : 0) } });
    const apiKey = app.keyService.addKey({ cellarRatePerSecond: 5, cellarRateBurst: 20 });
    const response = await post('/api/v1/ingest', apiKey, '{');
    expect([response.status, await response.json()]).toEqual([
      429,
      {
        status: 'error',
        error: 'Rate limit exceeded for the API keys of this cellar',
        code: 'rate_limited',
      },
    ]);
    expect(response.headers.get('ratelimit-policy')).toBe('"cellar";q=20;w=4');
    expect(response.headers.get('ratelimit')).toBe('"cellar";r=0;t=2');
  });

  it('neither is reported for the limit that has less left', async () => {
    const left = { cellar: 7, key: 9 };
    app = await startTestApp({
      limiter: { left: (id) => (id.startsWith('cellar:') ? left.cellar : left.key) },
    });
    const apiKey = app.keyService.addKey({ cellarRatePerSecond: 5, cellarRateBurst: 20 });
    const timestamp = new Date().toISOString();
    const batch = JSON.stringify([{ cellar: 'demo', rack: 'r', keg: 'k', value: 1, timestamp }]);
    const first = await post('/api/v1/ingest/batch', apiKey, batch);
    expect([first.status, first.headers.get('ratelimit')]).toEqual([200, '"cellar";r=7']);
    left.cellar = 10;
    const second = await post('/api/v1/ingest/batch', apiKey, batch);
    expect(second.headers.get('ratelimit')).toBe('"api-key";r=9');
  });

  it('the limit of the cellar with a batch is rejected too, also by its bytes', async () => {
    app = await startTestApp({ limiter: { takeMore: (id) => (id === 'cellar:demo' ? 3_000 : 0) } });
    const apiKey = app.keyService.addKey({ cellarRatePerSecond: 5, cellarRateBurst: 20 });
    const timestamp = new Date().toISOString();
    const reading = { cellar: 'demo', rack: 'r', keg: 'k', value: 1, timestamp };
    const response = await post('/api/v1/ingest/batch', apiKey, JSON.stringify([reading, reading]));
    expect(response.status).toBe(429);
    expect(response.headers.get('ratelimit-policy')).toBe('"cellar";q=20;w=4');
    expect(app.published).toEqual([]);
    // Without readings there is nothing else to pay for.
    const spaces = await post('/api/v1/ingest/batch', apiKey, ' '.repeat(60_000), 'application/x-ndjson');
    expect(spaces.status).toBe(429);
    // A cellar without a limit is not checked.
    const free = app.keyService.addKey();
    expect((await post('/api/v1/ingest/batch', free, JSON.stringify([reading, reading]))).status).toBe(200);
  });
});
