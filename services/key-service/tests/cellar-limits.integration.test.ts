import { LOOKUP_PATH } from '@cellarman/contracts';
import type { LookupResponse } from '@cellarman/contracts';
import { createLimitActiveKeys } from '../src/keys/limit-active-keys.ts';
import type { QueryResultRow } from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ApiClient } from './api-client.ts';
import { makeCellar, makeKey } from './made.ts';
import { join } from './people.ts';
import { startServiceUnderTest } from './service-under-test.ts';
import type { ServiceUnderTest } from './service-under-test.ts';

let service: ServiceUnderTest;
beforeAll(async () => {
  service = await startServiceUnderTest({ MAX_KEYS_PER_CELLAR: '3' });
});
afterAll(() => service.stop());

const keysOf = (cellar: string) => `/api/v1/cellars/${cellar}/keys`;
const create = (client: ApiClient, cellar: string, fields: object = {}) =>
  client.call<{ key: { id: string } }>('POST', keysOf(cellar), { name: 'a key', ...fields });
const lookUp = async (hash: string) =>
  (await service.internal<LookupResponse>('POST', LOOKUP_PATH, { hashes: [hash] })).body.answers[0]?.key;

describe('the rate limit of a cellar', () => {
  const LIMIT = { perSecond: 10, burst: 100 };

  test.each([
    ['more per second', { perSecond: 11, burst: 100 }],
    ['a larger burst', { perSecond: 10, burst: 101 }],
  ])('is the highest that a key of it may be given: not %s', async (_case, rateLimit) => {
    const { name } = await makeCellar(service, { rateLimit: LIMIT });
    const member = await join(service, { role: 'member', cellars: [name] });
    for (const client of [member.client, service.admin]) {
      expect(await create(client, name, { rateLimit })).toMatchObject({
        status: 400,
        body: {
          code: 'invalid_request',
          error: 'body/rateLimit must not exceed the rate limit of the cellar: 10 per second, burst 100',
        },
      });
    }
    const made = await create(member.client, name, { rateLimit: LIMIT });
    expect(made.status).toBe(201);
    const path = `${keysOf(name)}/${made.body.key.id}`;
    expect(await member.client.call('PATCH', path, { rateLimit })).toMatchObject({
      status: 400,
      body: { code: 'invalid_request' },
    });
  });

  test('that is none lets owners set that of a key, not members', async () => {
    const { name } = await makeCellar(service);
    const member = await join(service, { role: 'member', cellars: [name] });
    const rateLimit = { perSecond: 1, burst: 1 };
    expect(await create(member.client, name, { rateLimit })).toMatchObject({
      status: 403,
      body: { code: 'forbidden' },
    });
    const made = await create(member.client, name);
    expect(made.status).toBe(201);
    const path = `${keysOf(name)}/${made.body.key.id}`;
    expect(await member.client.call('PATCH', path, { rateLimit })).toMatchObject({ status: 403 });
    expect(await service.admin.call('PATCH', path, { rateLimit })).toMatchObject({ status: 200 });
  });

  test('binds keys that were given more before it was lowered, also when they are renamed or rotated', async () => {
    const { name } = await makeCellar(service, { rateLimit: LIMIT });
    const key = await makeKey(service, name, { rateLimit: { perSecond: 8, burst: 80 } });
    const slow = await makeKey(service, name, { rateLimit: { perSecond: 2, burst: 3 } });
    const all = { cellarRatePerSecond: 10, cellarRateBurst: 100 };
    expect(await lookUp(key.hash)).toMatchObject({ ratePerSecond: 8, rateBurst: 80, ...all });

    await service.admin.call('PATCH', `/api/v1/cellars/${name}`, { rateLimit: { perSecond: 5, burst: 50 } });
    const lowered = { cellarRatePerSecond: 5, cellarRateBurst: 50 };
    expect(await lookUp(key.hash)).toMatchObject({ ratePerSecond: 5, rateBurst: 50, ...lowered });
    expect(await lookUp(slow.hash)).toMatchObject({ ratePerSecond: 2, rateBurst: 3, ...lowered });

    const path = `${keysOf(name)}/${key.id}`;
    expect(await service.admin.call('PATCH', path, { name: 'renamed' })).toMatchObject({ status: 200 });
    expect(await service.admin.call('POST', `${path}/rotate`, { overlapSeconds: 0 })).toMatchObject({
      status: 201,
    });
  });
});

describe('the number of active keys of a cellar', () => {
  const full = {
    status: 409,
    body: { code: 'conflict', error: expect.stringContaining('limit of 3') as string },
  };

  async function fill(): Promise<{ cellar: string; ids: string[] }> {
    const { name: cellar } = await makeCellar(service);
    const ids: string[] = [];
    for (let i = 0; i < 3; i++) ids.push((await makeKey(service, cellar)).id);
    return { cellar, ids };
  }

  test('is limited; revoked and expired keys do not count', async () => {
    const { cellar, ids } = await fill();
    expect(await create(service.admin, cellar)).toMatchObject(full);
    await service.admin.call('POST', `${keysOf(cellar)}/${ids[0] ?? ''}/revoke`);
    expect(await create(service.admin, cellar)).toMatchObject({ status: 201 });
    expect(await create(service.admin, cellar)).toMatchObject(full);
    await service.pool.query(`UPDATE api_keys SET expires_at = now() WHERE id = $1`, [ids[1]]);
    expect(await create(service.admin, cellar)).toMatchObject({ status: 201 });
    const reactivate = { expiresAt: null };
    expect(await service.admin.call('PATCH', `${keysOf(cellar)}/${ids[1] ?? ''}`, reactivate)).toMatchObject(
      full,
    );
  });

  test('lets a key be rotated without an overlap when it is reached', async () => {
    const { cellar, ids } = await fill();
    const rotate = (overlapSeconds: number) =>
      service.admin.call('POST', `${keysOf(cellar)}/${ids[0] ?? ''}/rotate`, { overlapSeconds });
    expect(await rotate(60)).toMatchObject(full);
    expect(await rotate(0)).toMatchObject({ status: 201 });
  });

  test('holds for keys that are created in bulk', async () => {
    const { name } = await makeCellar(service);
    const bulk = (...names: string[]) =>
      service.admin.call('POST', `/api/v1/cellars/${name}/key-batches`, {
        keys: names.map((each) => ({ name: each, idempotencyKey: each })),
      });
    expect(await bulk('1')).toMatchObject({ status: 200 });
    expect(await bulk('2', '3', '4')).toMatchObject({ status: 409, body: { code: 'conflict' } });
    expect(await bulk('2', '3')).toMatchObject({ status: 200 });
    expect(await bulk('4')).toMatchObject({ status: 409 });
  });

  test('holds for concurrent requests', async () => {
    const { name } = await makeCellar(service);
    const statuses = await Promise.all(
      Array.from({ length: 8 }, async () => (await create(service.admin, name)).status),
    );
    expect(statuses.toSorted()).toEqual([201, 201, 201, 409, 409, 409, 409, 409]);
  });
});

test('the active keys of a large cellar are counted over several statements', async () => {
  const { name } = await makeCellar(service);
  const keys = 45_000;
  await service.pool.query(
    `INSERT INTO api_keys (cellar, name, hash, display_prefix, scopes, expires_at, revoked_at)
     SELECT $1, 'counted', sha256(('counted ' || i)::bytea), 'cm_test', '{ingest}',
            CASE WHEN i % 3 = 0 THEN now() + interval '1 day' END, CASE WHEN i > ${keys} THEN now() END
     FROM generate_series(1, ${keys + 10}) AS i`,
    [name],
  );
  const database = {
    query: async <Row extends QueryResultRow>(text: string, values?: unknown[]) =>
      (await service.pool.query<Row>(text, values)).rows,
  };
  await createLimitActiveKeys(keys)(database, name);
  await expect(createLimitActiveKeys(keys - 1)(database, name)).rejects.toThrow('The limit of 44999');
});
