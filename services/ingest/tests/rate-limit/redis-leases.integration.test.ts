import { randomUUID } from 'node:crypto';
import { createServer } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';
import { Redis } from 'ioredis';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { createLimiter } from '../../src/rate-limit/limiter.ts';
import { createRedisLeases } from '../../src/rate-limit/redis-leases.ts';
import type { Leases } from '../../src/rate-limit/redis-leases.ts';
import { silent } from '../ingest-app.ts';

const { redisUrl } = inject('engines');
const prefix = `test:${randomUUID()}:`;
const opened: Leases[] = [];
let redis: Redis;

beforeAll(() => {
  redis = new Redis(redisUrl);
});
afterAll(async () => {
  for (const leases of opened) leases.close();
  const left = await redis.keys(`${prefix}*`);
  if (left.length > 0) await redis.del(left);
  redis.disconnect();
});

async function open(url = redisUrl): Promise<Leases> {
  const leases = createRedisLeases({ url, logger: silent, prefix });
  opened.push(leases);
  if (url === redisUrl) {
    await expect
      .poll(() => leases.lease('warm-up', { perSecond: 1, burst: 1 }, 0, 0).catch(() => null))
      .not.toBeNull();
  }
  return leases;
}

describe('the script', () => {
  it('grants what is there, reports the wait, and takes back', async () => {
    const leases = await open();
    const policy = { perSecond: 0.1, burst: 10 };
    expect(await leases.lease('a', policy, 8, 0)).toEqual({ granted: 8, remaining: 2, waitMs: 0 });
    expect(await leases.lease('a', policy, 8, 0)).toMatchObject({ granted: 2 });
    const empty = await leases.lease('a', policy, 8, 0);
    expect(empty.granted).toBe(0);
    expect(empty.waitMs).toBeGreaterThan(5_000);
    expect(empty.waitMs).toBeLessThanOrEqual(10_000);
    expect(await leases.lease('a', policy, 8, 3)).toMatchObject({ granted: 3 });
    expect(await leases.lease('a', policy, 100, 1_000)).toMatchObject({ granted: 10 });
  });

  it('takes what a request needs, all of it or nothing, and reports what is left', async () => {
    const leases = await open();
    const policy = { perSecond: 0.1, burst: 10 };
    const more = (needed: number, paid: number, wanted = 0, unused = 0) =>
      leases.leaseMore('more', policy, wanted, unused, needed, paid);
    expect(await more(4, 0)).toEqual({ taken: true, granted: 0, remaining: 6, waitMs: 0 });
    expect(await more(0, 0, 2)).toEqual({ taken: true, granted: 2, remaining: 4, waitMs: 0 });
    // Nothing is taken, and the wait is for the whole request.
    const rejected = await more(5, 1);
    expect(rejected).toMatchObject({ taken: false, granted: 0, remaining: 4 });
    expect(rejected.waitMs).toBeGreaterThan(15_000);
    expect(rejected.waitMs).toBeLessThanOrEqual(20_000);
    // Paid and returned tokens make 10: the bucket was full, and goes into debt.
    expect(await more(20, 4, 3, 2)).toEqual({ taken: true, granted: 0, remaining: -14, waitMs: 0 });
    expect(await more(30, 24)).toEqual({ taken: true, granted: 0, remaining: -44, waitMs: 0 });
    expect(await more(1, 0)).toMatchObject({ taken: false, remaining: -44 });
  });

  it('refills by the clock of Redis, and not for a clock that stepped back', async () => {
    const leases = await open();
    const policy = { perSecond: 1, burst: 10 };
    await leases.lease('b', policy, 10, 0);
    const [seconds] = await redis.time();
    await redis.hset(`${prefix}b`, 'at', (Number(seconds) - 4) * 1_000);
    const refilled = await leases.lease('b', policy, 10, 0);
    expect(refilled.granted).toBeGreaterThanOrEqual(4);
    expect(refilled.granted).toBeLessThanOrEqual(6);
    await redis.hset(`${prefix}b`, 'at', (Number(seconds) + 1_000) * 1_000);
    expect(await leases.lease('b', policy, 10, 0)).toMatchObject({ granted: 0 });
    // And the bucket is not frozen until that time comes.
    expect(Number(await redis.hget(`${prefix}b`, 'at'))).toBeLessThan((Number(seconds) + 500) * 1_000);
  });

  it('keeps a bucket only until it is full again', async () => {
    const leases = await open();
    await leases.lease('c', { perSecond: 10, burst: 100 }, 50, 0);
    const ttl = await redis.pttl(`${prefix}c`);
    expect(ttl).toBeGreaterThan(4_000);
    expect(ttl).toBeLessThanOrEqual(6_000);
  });

  it('is loaded again after Redis has forgotten it', async () => {
    const leases = await open();
    await redis.script('FLUSH');
    expect(await leases.lease('d', { perSecond: 1, burst: 5 }, 5, 0)).toMatchObject({ granted: 5 });
  });
});

describe('replicas', () => {
  it('share one bucket', async () => {
    const limiters = await Promise.all(
      [0, 1, 2].map(async () =>
        createLimiter({ leases: await open(), replicas: 3, maxKeys: 10, logger: silent }),
      ),
    );
    // So slow that nothing refills while the test runs.
    const policy = { perSecond: 0.001, burst: 300 };
    const taken = await Promise.all(
      limiters.flatMap((limiter) => Array.from({ length: 400 }, async () => limiter.take('shared', policy))),
    );
    expect(taken.filter((waitMs) => waitMs === 0).length).toBe(300);
  });
});

describe('a Redis that', () => {
  it('is not there is given up immediately', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    const { port } = await listening(server);
    await new Promise((resolve) => server.close(resolve));
    const leases = await open(`redis://127.0.0.1:${port}`);
    await expect(leases.lease('e', { perSecond: 1, burst: 1 }, 1, 0)).rejects.toThrow();
  });

  it('never becomes ready is not waited for, and the replica limits by itself', async () => {
    const sockets: Socket[] = [];
    const server = createServer((socket) => void sockets.push(socket)).listen(0, '127.0.0.1');
    const { port } = await listening(server);
    const leases = await open(`redis://127.0.0.1:${port}`);
    const limiter = createLimiter({ leases, replicas: 2, maxKeys: 10, logger: silent });
    const policy = { perSecond: 0.001, burst: 5 };
    const taken = await Promise.all(Array.from({ length: 8 }, async () => limiter.take('f', policy)));
    expect(taken.filter((waitMs) => waitMs === 0).length).toBe(5);
    leases.close();
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => server.close(resolve));
  });
});

async function listening(server: ReturnType<typeof createServer>): Promise<AddressInfo> {
  await new Promise((resolve) => server.once('listening', resolve));
  return server.address() as AddressInfo;
}
