import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { createLogger } from '@cellarman/telemetry';
import { Redis } from 'ioredis';
import { afterAll, beforeAll, describe, expect, inject, test, vi } from 'vitest';
import { createRedisLeases } from '../../services/ingest/src/rate-limit/redis-leases.ts';
import { makeCellar, makeKey } from '../../services/key-service/tests/made.ts';
import { ADMIN, startServiceUnderTest } from '../../services/key-service/tests/service-under-test.ts';
import type { ServiceUnderTest } from '../../services/key-service/tests/service-under-test.ts';
import { startRedisServer } from './redis-server.ts';

/** The users of deploy/examples/valkey-users.acl, under names of this test, on the real Redis. */
const id = randomBytes(6).toString('hex');
const PASSWORD = 'password-of-the-test';
const lines: string[] = [];
let admin: Redis;
let service: ServiceUnderTest;

const urlOf = (user: string): string => {
  const url = new URL(inject('engines').redisUrl);
  url.username = `${user}-${id}`;
  url.password = PASSWORD;
  return url.href;
};

beforeAll(async () => {
  admin = new Redis(inject('engines').redisUrl);
  const file = new URL('../../deploy/examples/valkey-users.acl', import.meta.url);
  const users = (await readFile(file, 'utf8')).trim().split('\n');
  for (const line of users) {
    const [, name = '', ...rules] = line.split(' ');
    const own = rules.map((rule) => (rule.startsWith('>') ? `>${PASSWORD}` : rule));
    if (name !== 'default') await admin.call('ACL', 'SETUSER', `${name}-${id}`, 'reset', ...own);
  }
  service = await startServiceUnderTest({
    REDIS_URL: urlOf('key-service'),
    REDIS_PREFIX: `cellarman:key-service:${id}:`,
  });
});
afterAll(async () => {
  await service.stop();
  for (const user of ['ingest', 'key-service']) await admin.call('ACL', 'DELUSER', `${user}-${id}`);
  const left = await admin.keys(`*${id}*`);
  if (left.length > 0) await admin.unlink(...left);
  admin.disconnect();
});

const logger = createLogger(
  { service: 'test', version: '0', level: 'info' },
  { write: (line) => void lines.push(line) },
);

test('ingest leases tokens with its user', async () => {
  const leases = createRedisLeases({ url: urlOf('ingest'), logger });
  const policy = { perSecond: 10, burst: 20 };
  await vi.waitFor(
    async () => expect(await leases.lease(`key-${id}`, policy, 5, 0)).toMatchObject({ granted: 5 }),
    20_000,
  );
  expect(await leases.leaseMore(`key-${id}`, policy, 0, 0, 5, 0)).toMatchObject({ taken: true });
  leases.close();
  expect(lines.filter((line) => line.includes('NOPERM'))).toEqual([]);
});

test('key-service caches keys, follows changes and counts sign-ins with its user', async () => {
  const { name } = await makeCellar(service);
  const key = await makeKey(service, name);
  const lookUp = () => service.internal<never>('POST', '/internal/v1/keys/look-up', { hashes: [key.hash] });
  await vi.waitFor(
    async () => {
      await lookUp();
      const metrics = await (await fetch(`${service.url}/metrics`)).text();
      expect(metrics).toMatch(/lookups_total\{source="redis"\} [1-9]/);
    },
    { timeout: 20_000 },
  );
  const wrong = { email: `nobody-${id}@example.com`, password: 'wrong password' };
  for (let i = 0; i < 5; i++)
    expect((await service.anonymous.call('POST', '/api/v1/session', wrong)).status).toBe(401);
  expect((await service.anonymous.call('POST', '/api/v1/session', wrong)).status).toBe(429);
  expect((await service.anonymous.call('POST', '/api/v1/session', ADMIN)).status).toBe(201);
  expect(service.log.filter((line) => line.includes('NOPERM'))).toEqual([]);
});

describe('the user of ingest', () => {
  let redis: Redis;
  beforeAll(() => {
    redis = new Redis(urlOf('ingest'));
  });
  afterAll(() => redis.disconnect());
  const theirs = `cellarman:key-service:${id}:{keys}:state`;

  test.each([
    ['writes no key record', ['HSET', theirs, 'applied', '1']],
    ['reads none', ['HGETALL', theirs]],
    ['deletes no counter of sign-ins', ['DEL', `cellarman:key-service:${id}:{sign-in}:pair:x`]],
    ['reaches none of them in a script', ['EVAL', `return redis.call('DEL', '${theirs}')`, '0']],
    ['lists no names', ['SCAN', '0']],
    ['sees no commands of others', ['MONITOR']],
    ['changes no configuration', ['CONFIG', 'SET', 'maxmemory', '1']],
    ['changes no users', ['ACL', 'LIST']],
    ['empties nothing', ['FLUSHALL']],
  ])('%s', async (_what, [command = '', ...values]) => {
    await expect(redis.call(command, ...values)).rejects.toThrow(/NOPERM|No permissions|can't access/i);
  });
});

test('the user of key-service does not touch the rates of ingest', async () => {
  const redis = new Redis(urlOf('key-service'));
  await expect(redis.del(`cellarman:rate:key-${id}`)).rejects.toThrow(/NOPERM/);
  redis.disconnect();
});

test('Redis takes the file as it is: without a password there is PING and nothing else', async () => {
  const file = fileURLToPath(new URL('../../deploy/examples/valkey-users.acl', import.meta.url));
  const server = await startRedisServer('--aclfile', file);
  const stranger = new Redis(server.url, { enableReadyCheck: false });
  expect(await stranger.ping()).toBe('PONG');
  await expect(stranger.get('cellarman:rate:x')).rejects.toThrow(/NOPERM/);
  await expect(stranger.info()).rejects.toThrow(/NOPERM/);
  stranger.disconnect();
  await server.stop();
});
