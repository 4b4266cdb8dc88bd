import { readFile } from 'node:fs/promises';
import { createLogger } from '@cellarman/telemetry';
import { Redis } from 'ioredis';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { createRedisLeases } from '../../services/ingest/src/rate-limit/redis-leases.ts';
import { connectRedis } from '../../services/key-service/src/redis.ts';
import { createSignInThrottle } from '../../services/key-service/src/sessions/sign-in-throttle.ts';
import { startRedisServer } from './redis-server.ts';

async function useFullRedis(policy: string) {
  const server = await startRedisServer('--maxmemory', '4mb', '--maxmemory-policy', policy);
  const lines: string[] = [];
  const logger = createLogger(
    { service: 'test', version: '0', level: 'info' },
    { write: (line) => void lines.push(line) },
  );
  const filler = new Redis(server.url);
  const redis = await connectRedis({
    ...{ url: server.url, name: 'test', timeoutMs: 2_000, logger, checksEviction: true },
  });
  let filled = 0;
  return {
    lines,
    throttle: createSignInThrottle({ redis, prefix: 'cellarman:key-service:' }),
    leases: createRedisLeases({ url: server.url, logger }),
    /** Adds what expires, as cached keys do, until Redis has no room for it. */
    async fill() {
      for (let i = 0; i < 60; i++) {
        const batch = filler.pipeline();
        for (let j = 0; j < 100; j++) batch.set(`cached:${filled++}`, 'x'.repeat(1_000), 'EX', 3_600);
        await batch.exec();
      }
    },
    info: async (field: string) =>
      Number(new RegExp(`${field}:(\\d+)`).exec(await filler.info())?.[1] ?? Number.NaN),
    async stop() {
      filler.disconnect();
      redis.disconnect();
      await server.stop();
    },
  };
}

describe('a full Redis with the policy of the example', () => {
  let full: Awaited<ReturnType<typeof useFullRedis>>;
  beforeAll(async () => {
    const example = await readFile(new URL('../../deploy/examples/valkey.yaml', import.meta.url), 'utf8');
    full = await useFullRedis(/maxmemory-policy ([a-z-]+)/.exec(example)?.[1] ?? 'noeviction');
    await full.fill();
  });
  afterAll(async () => {
    full.leases.close();
    await full.stop();
  });

  test('evicts what is cached, and goes on counting failed sign-ins', async () => {
    expect(await full.info('evicted_keys')).toBeGreaterThan(0);
    for (let i = 0; i < 5; i++) await full.throttle.take('a@example.com', '192.0.2.1');
    await expect(full.throttle.take('a@example.com', '192.0.2.1')).rejects.toMatchObject({
      code: 'rate_limited',
    });
  });

  test('leases tokens', async () => {
    const policy = { perSecond: 1, burst: 10 };
    await vi.waitFor(() => full.leases.lease('key', policy, 6, 0), 20_000);
    expect(await full.leases.lease('key', policy, 10, 0)).toMatchObject({ granted: 4 });
  });

  test('is not warned of', () => {
    expect(full.lines.filter((line) => line.includes('maxmemory-policy'))).toEqual([]);
  });
});

test.each(['noeviction', 'allkeys-lru'])(
  'the policy %s is logged by ingest and by key-service',
  async (policy) => {
    const full = await useFullRedis(policy);
    await vi.waitFor(() => {
      const warnings = full.lines.filter((line) => line.includes(`Redis has maxmemory-policy ${policy}`));
      expect(warnings).toHaveLength(2);
    }, 20_000);
    full.leases.close();
    await full.stop();
  },
);
