import { startTcpProxyFor } from '@cellarman/local-stack';
import type { UrlProxy } from '@cellarman/local-stack';
import { LAST_USED_PATH, LOOKUP_PATH, RETENTION_PATH, CHANGES_PATH } from '@cellarman/contracts';
import type { ChangesResponse, LookupResult, LookupResponse } from '@cellarman/contracts';
import { createHash, randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, inject, test, vi } from 'vitest';
import { keyCacheNames } from '../src/lookup/key-cache.ts';
import { makeCellar, makeKey } from './made.ts';
import { createRedisSnapshots } from './redis-snapshots.ts';
import { INTERNAL_TOKEN, SEAL, startServiceUnderTest } from './service-under-test.ts';
import type { ServiceUnderTest } from './service-under-test.ts';

let service: ServiceUnderTest;
let redisProxy: UrlProxy;
let postgresProxy: UrlProxy;
/** A replica that reaches its engines through the proxies. */
let replica: { url: string; stop(): Promise<void> };
let cellar: string;

beforeAll(async () => {
  service = await startServiceUnderTest();
  redisProxy = await startTcpProxyFor(inject('engines').redisUrl);
  postgresProxy = await startTcpProxyFor(service.env['DATABASE_URL'] ?? '');
  replica = await service.startReplica({
    REDIS_URL: redisProxy.url,
    DATABASE_URL: postgresProxy.url,
    DATABASE_CONNECTIONS: '4',
  });
  cellar = (await makeCellar(service)).name;
});
afterAll(async () => {
  await replica.stop();
  await redisProxy.close();
  await postgresProxy.close();
  await service.stop();
});

const unknownHash = () => createHash('sha256').update(randomBytes(8)).digest('hex');

interface Question {
  hash: string;
  atLeast?: number;
}

/** Null: nobody can say now. */
async function askWhetherKnown(
  { hash, ...rest }: Question,
  url = service.url,
): Promise<LookupResult | null | undefined> {
  const response = await fetch(url + LOOKUP_PATH, {
    method: 'POST',
    headers: { authorization: `Bearer ${INTERNAL_TOKEN}`, 'content-type': 'application/json' },
    body: JSON.stringify({ hashes: [hash], ...rest }),
  });
  expect(response.status).toBe(200);
  const { answers } = (await response.json()) as LookupResponse;
  expect(answers).toHaveLength(1);
  return answers[0];
}

async function ask(question: Question, url = service.url): Promise<LookupResult> {
  const answer = await askWhetherKnown(question, url);
  if (answer === null || answer === undefined) throw new Error('nobody can say');
  return answer;
}

/** How many lookups were served from this source, by the replica's own metric. */
async function countOf(source: string, url = service.url): Promise<number> {
  const metrics = await (await fetch(`${url}/metrics`)).text();
  return Number(
    new RegExp(`cellarman_key_service_lookups_total\\{source="${source}"\\} (\\d+)`).exec(metrics)?.[1] ?? 0,
  );
}

/** The next lookup can come from Redis. */
async function untilCopied(hash: string, url = service.url): Promise<void> {
  await vi.waitFor(
    async () => {
      const before = await countOf('redis', url);
      await ask({ hash }, url);
      expect(await countOf('redis', url)).toBe(before + 1);
    },
    { timeout: 20_000, interval: 20 },
  );
}

const revoke = (id: string) => service.admin.call('POST', `/api/v1/cellars/${cellar}/keys/${id}/revoke`);
function snapshotsOf(hash: string) {
  const names = keyCacheNames(service.redisPrefix, SEAL);
  return createRedisSnapshots(service.redis, [names.state, names.entry(hash)]);
}

describe('a revocation', () => {
  test('is in the changes and in the lookup immediately, though the key was cached', async () => {
    const key = await makeKey(service, cellar);
    await untilCopied(key.hash);
    await revoke(key.id);
    const answer = await ask({ hash: key.hash });
    expect(answer.key?.revokedAt).not.toBeNull();
    const { number } = answer;
    const changes = await service.internal<ChangesResponse>('GET', `${CHANGES_PATH}?after=${number - 1}`);
    expect(changes.body).toMatchObject({ number, changes: [{ kind: 'key', hash: key.hash }] });
  });

  test('made at one replica is in a response of another that must include it', async () => {
    const key = await makeKey(service, cellar);
    await untilCopied(key.hash, replica.url);
    await revoke(key.id);
    const { body } = await service.internal<ChangesResponse>('GET', `${CHANGES_PATH}?after=-1`);
    const answer = await ask({ hash: key.hash, atLeast: body.number }, replica.url);
    expect(answer.number).toBeGreaterThanOrEqual(body.number);
    expect(answer.key?.revokedAt).not.toBeNull();
  });

  test('holds when Redis is put back to a snapshot from before it', async () => {
    const key = await makeKey(service, cellar);
    await untilCopied(key.hash);
    const snapshots = snapshotsOf(key.hash);
    await snapshots.take();
    await revoke(key.id);
    for (let i = 0; i < 5; i++) {
      await snapshots.restore();
      expect((await ask({ hash: key.hash })).key?.revokedAt).not.toBeNull();
    }
    await untilCopied(key.hash);
    expect((await ask({ hash: key.hash })).key?.revokedAt).not.toBeNull();
  });

  test('holds when Redis is emptied, again and again', async () => {
    const key = await makeKey(service, cellar);
    await revoke(key.id);
    for (let i = 0; i < 10; i++) {
      await snapshotsOf(key.hash).flush();
      expect((await ask({ hash: key.hash })).key?.revokedAt).not.toBeNull();
    }
  });

  test('holds after a restart', async () => {
    const key = await makeKey(service, cellar);
    await untilCopied(key.hash);
    const first = await service.startReplica();
    await revoke(key.id);
    await first.stop();
    const second = await service.startReplica();
    expect((await ask({ hash: key.hash }, second.url)).key?.revokedAt).not.toBeNull();
    await second.stop();
  });
});

describe('a cache entry that another program wrote', () => {
  const cacheNames = () => keyCacheNames(service.redisPrefix, SEAL);

  test('makes no key valid, and is logged once', async () => {
    const key = await makeKey(service, cellar);
    await untilCopied(key.hash);
    const forged = { ...(await ask({ hash: key.hash })).key, hash: unknownHash(), id: 'forged' };
    const names = cacheNames();
    await service.redis.hset(names.entry(forged.hash), {
      ...(await service.redis.hgetall(names.entry(key.hash))),
      record: JSON.stringify(forged),
    });
    expect((await ask({ hash: forged.hash })).key).toBeNull();
    expect((await ask({ hash: forged.hash })).key).toBeNull();
    const forgeries = service.log.filter((line) => line.includes('rejected a forged cache entry in Redis'));
    expect(forgeries).toHaveLength(1);
  });

  test('is not the entry of another key either', async () => {
    const key = await makeKey(service, cellar);
    await untilCopied(key.hash);
    const names = cacheNames();
    const other = unknownHash();
    await service.redis.copy(names.entry(key.hash), names.entry(other));
    expect((await ask({ hash: other })).key).toBeNull();
  });
});

describe('other changes', () => {
  test('an expiry, a retention and a keg rule are in the next response', async () => {
    const { name } = await makeCellar(service, { retentionDays: 5 });
    const key = await makeKey(service, name);
    await untilCopied(key.hash);
    const expiresAt = new Date(Date.now() + 3_600_000).toISOString();
    await service.admin.call('PATCH', `/api/v1/cellars/${name}/keys/${key.id}`, { expiresAt });
    expect((await ask({ hash: key.hash })).key).toMatchObject({ expiresAt, retentionDays: 5 });
    // Few cellars have a rule of their own, and ingest keeps many records.
    expect((await ask({ hash: key.hash })).key).not.toHaveProperty('lineProtocolKeg');
    await untilCopied(key.hash);
    await service.admin.call('PATCH', `/api/v1/cellars/${name}`, {
      retentionDays: 6,
      lineProtocolKeg: '{field}',
    });
    expect((await ask({ hash: key.hash })).key).toMatchObject({
      expiresAt,
      retentionDays: 6,
      lineProtocolKeg: '{field}',
    });
    await untilCopied(key.hash);
    await service.admin.call('POST', `/api/v1/cellars/${name}/archive`);
    expect((await ask({ hash: key.hash })).key?.revokedAt).not.toBeNull();
  });

  test('a key that was unknown a moment ago is known', async () => {
    const key = await makeKey(service, cellar);
    await service.pool.query(`UPDATE api_keys SET hash = decode(repeat('00', 32), 'hex') WHERE id = $1`, [
      key.id,
    ]);
    expect((await ask({ hash: key.hash })).key).toBeNull();
    await service.pool.query(`UPDATE api_keys SET hash = decode($2, 'hex') WHERE id = $1`, [
      key.id,
      key.hash,
    ]);
    // Still from memory: nothing was recorded.
    expect((await ask({ hash: key.hash })).key).toBeNull();
    await makeCellar(service);
    expect((await ask({ hash: key.hash })).key?.id).toBe(key.id);
  });
});

describe('an unknown key', () => {
  test('costs PostgreSQL one query, and Redis no memory', async () => {
    const hash = unknownHash();
    const before = await countOf('postgres');
    expect((await ask({ hash })).key).toBeNull();
    for (let i = 0; i < 5; i++) expect((await ask({ hash })).key).toBeNull();
    expect(await countOf('postgres')).toBe(before + 1);
    expect(await service.redis.keys(`${service.redisPrefix}*${hash}*`)).toEqual([]);
  });
});

test('many hashes get their responses in order, each its own', async () => {
  const keys = [await makeKey(service, cellar), await makeKey(service, cellar)];
  await revoke(keys[1]?.id ?? '');
  await untilCopied(keys[0]?.hash ?? '');
  const hashes = Array.from({ length: 500 }, unknownHash);
  hashes[7] = keys[0]?.hash ?? '';
  hashes[400] = hashes[8] = keys[1]?.hash ?? '';
  const { body } = await service.internal<LookupResponse>('POST', LOOKUP_PATH, { hashes });
  expect(body.answers).toHaveLength(500);
  body.answers.forEach((answer, i) => {
    expect(answer?.key?.hash).toBe([7, 8, 400].includes(i) ? hashes[i] : undefined);
    expect(typeof answer?.key?.revokedAt).toBe(
      [8, 400].includes(i) ? 'string' : answer?.key ? 'object' : 'undefined',
    );
  });
});

describe('without Redis', () => {
  test.each(['stalled', 'cut'] as const)(
    '(%s) PostgreSQL serves lookups, and the cache is used again afterwards',
    async (how) => {
      const key = await makeKey(service, cellar);
      await untilCopied(key.hash, replica.url);
      redisProxy.set({ kind: how });
      for (let i = 0; i < 20; i++) {
        const answer = await ask({ hash: key.hash }, replica.url);
        expect(answer).toMatchObject({ key: { id: key.id } });
      }
      await revoke(key.id);
      await vi.waitFor(async () => {
        expect((await ask({ hash: key.hash }, replica.url)).key?.revokedAt).not.toBeNull();
      }, 20_000);
      redisProxy.reset();
      await untilCopied(key.hash, replica.url);
    },
  );

  test('a sign-in has to wait', async () => {
    redisProxy.set({ kind: 'cut' });
    const answer = await fetch(`${replica.url}/api/v1/session`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ email: 'a@b.c', password: 'x' }),
    });
    expect(answer.status).toBe(503);
    expect(answer.headers.get('retry-after')).toBe('1');
    expect(await answer.json()).toMatchObject({ status: 'error', code: 'unavailable' });
    redisProxy.reset();
  });
});

describe('without PostgreSQL', () => {
  test.each(['stalled', 'cut'] as const)(
    '(%s) cached records are served, and other keys are unavailable',
    async (how) => {
      const key = await makeKey(service, cellar);
      await untilCopied(key.hash, replica.url);
      postgresProxy.set({ kind: how });
      expect(await ask({ hash: key.hash }, replica.url)).toMatchObject({ key: { id: key.id } });

      const others = await Promise.all(
        Array.from({ length: 20 }, () => askWhetherKnown({ hash: unknownHash() }, replica.url)),
      );
      expect(others).toEqual(others.map(() => null));
      const changes = await fetch(`${replica.url}${CHANGES_PATH}?after=-1`, {
        headers: { authorization: `Bearer ${INTERNAL_TOKEN}` },
      });
      expect(changes.status).toBe(503);

      postgresProxy.reset();
      const hash = unknownHash();
      await vi.waitFor(() => ask({ hash }, replica.url), { timeout: 20_000 });
    },
  );
});

describe('the internal API', () => {
  test.each([
    ['POST', LOOKUP_PATH],
    ['GET', `${CHANGES_PATH}?after=-1`],
    ['POST', LAST_USED_PATH],
    ['GET', RETENTION_PATH],
  ])('%s %s needs the token, the whole token, and nothing but the token', async (method, path) => {
    const body = method === 'POST' ? {} : undefined;
    for (const authorization of [
      undefined,
      '',
      INTERNAL_TOKEN,
      `Bearer ${INTERNAL_TOKEN}x`,
      `Bearer ${INTERNAL_TOKEN.slice(0, -1)}`,
      `Basic ${INTERNAL_TOKEN}`,
    ]) {
      const headers: Record<string, string> = authorization === undefined ? {} : { authorization };
      const answer = await service.anonymous.call(method, path, body, headers);
      expect(answer).toMatchObject({ status: 401, body: { status: 'error', code: 'unauthenticated' } });
    }
    // The session of a user is another thing.
    expect(await service.admin.call(method, path, body)).toMatchObject({ status: 401 });
  });

  test.each([
    [{}],
    [{ hashes: [] }],
    [{ hashes: ['A'.repeat(64)] }],
    [{ hashes: ['a'.repeat(64), 'a'.repeat(63)] }],
    [{ hashes: Array<string>(501).fill('a'.repeat(64)) }],
    [{ hashes: ['a'.repeat(64)], atLeast: '1' }],
    [{ hashes: ['a'.repeat(64)], atLeast: -1 }],
    [{ hashes: ['a'.repeat(64)], extra: 1 }],
  ])('rejects the lookup %o', async (body) => {
    expect(await service.internal('POST', LOOKUP_PATH, body)).toMatchObject({
      status: 400,
      body: { code: 'invalid_request' },
    });
  });
});
