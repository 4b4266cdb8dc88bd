import { randomBytes } from 'node:crypto';
import type { Change, KeyRecord } from '@cellarman/contracts';
import { Redis } from 'ioredis';
import { afterAll, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest';
import { keyRecordSchema } from '@cellarman/contracts';
import { Type } from '@sinclair/typebox';
import { createKeyCache, keyCacheNames } from '../src/lookup/key-cache.ts';
import type { CacheState, KeyCache } from '../src/lookup/key-cache.ts';
import { createRecordSeal } from '../src/lookup/record-seal.ts';
import type { RecordSeal } from '../src/lookup/record-seal.ts';
import { createRedisSnapshots } from './redis-snapshots.ts';
import { keyRecord } from '../../../libs/key-service-client/tests/key-record.ts';

const HASH = 'a'.repeat(64);
const KEY = keyRecord({ id: 'key', hash: HASH });
const keyChange = (number: number): Change => ({ number, kind: 'key', hash: HASH });
const cellarChange = (number: number, cellar: string): Change => ({ number, kind: 'cellar', cellar });

const SECRET = 'secret-of-key-service';
const seal = createRecordSeal({ secret: SECRET });

let redis: Redis;
let prefix: string;
let forgeries: unknown[];
let cache: KeyCache;
let snapshots: ReturnType<typeof createRedisSnapshots>;
beforeAll(() => {
  redis = new Redis(inject('engines').redisUrl);
});
afterAll(() => redis.disconnect());
beforeEach(async () => {
  prefix = `cache:${randomBytes(6).toString('hex')}:`;
  forgeries = [];
  cache = cacheWith(seal);
  const names = keyCacheNames(prefix, seal);
  snapshots = createRedisSnapshots(redis, [names.state, names.entry(HASH)]);
  await cache.reset(await state(), { epoch: 'e', number: 10 });
});

function cacheWith(used: RecordSeal): KeyCache {
  const onForged = (error: unknown) => void forgeries.push(error);
  return createKeyCache({ redis, prefix, seal: used, entrySeconds: 60, onForged });
}
async function state(): Promise<CacheState> {
  const answer = await cache.state();
  if (answer === undefined) throw new Error('Redis does not answer');
  return answer;
}
async function copy(): Promise<KeyRecord | undefined> {
  return (await cache.read(HASH))?.key;
}

describe('a copy is written', () => {
  test('when PostgreSQL responded after all that Redis has applied', async () => {
    await cache.write(await state(), KEY, { epoch: 'e', number: 10 });
    expect(await cache.read(HASH)).toMatchObject({ state: { epoch: 'e', applied: 10 }, key: KEY });
  });

  test('not when a revocation was applied between the response and the write', async () => {
    const seen = await state();
    await cache.apply(seen, 11, [keyChange(11)]);
    await cache.write(seen, KEY, { epoch: 'e', number: 10 });
    expect(await copy()).toBeUndefined();
  });

  test('not when Redis was started again since, or the database is another', async () => {
    const seen = await state();
    await cache.write(seen, KEY, { epoch: 'other', number: 20 });
    expect(await copy()).toBeUndefined();
    await cache.reset(seen, { epoch: 'e', number: 5 });
    await cache.write(seen, KEY, { epoch: 'e', number: 10 });
    expect(await copy()).toBeUndefined();
  });

  test('not into an empty Redis', async () => {
    await snapshots.flush();
    await cache.write(await state(), KEY, { epoch: 'e', number: 10 });
    await cache.write(await state(), KEY, { epoch: '', number: 10 });
    expect(await copy()).toBeUndefined();
  });
});

describe('a copy is gone', () => {
  beforeEach(async () => cache.write(await state(), KEY, { epoch: 'e', number: 10 }));

  test('when its key has changed', async () => {
    expect(await cache.apply(await state(), 12, [keyChange(12)])).toBe(true);
    expect(await state()).toMatchObject({ applied: 12 });
    expect(await copy()).toBeUndefined();
  });

  test('when its cellar has changed, but not when another has', async () => {
    await cache.apply(await state(), 11, [cellarChange(11, 'other')]);
    expect(await copy()).toEqual(KEY);
    await cache.apply(await state(), 12, [cellarChange(12, 'demo')]);
    expect(await copy()).toBeUndefined();
    const fresh = { ...KEY, retentionDays: 7 };
    await cache.write(await state(), fresh, { epoch: 'e', number: 12 });
    expect(await copy()).toEqual(fresh);
  });

  test('when Redis starts again, by whichever replica is first', async () => {
    const seen = await state();
    await cache.reset(seen, { epoch: 'f', number: 3 });
    await cache.reset(seen, { epoch: 'g', number: 4 });
    expect(await cache.read(HASH)).toMatchObject({ state: { epoch: 'f', applied: 3 }, key: undefined });
  });

  test('when Redis was emptied', async () => {
    await snapshots.flush();
    expect(await cache.read(HASH)).toEqual({
      state: { epoch: '', applied: 0, generation: '' },
      key: undefined,
    });
  });
});

describe('an entry is ignored', () => {
  const write = async (by: RecordSeal, key = KEY) => {
    const writer = cacheWith(by);
    const empty = { epoch: '', applied: 0, generation: '' };
    const seen = (await writer.state()) ?? empty;
    if (seen.generation === '') await writer.reset(seen, { epoch: 'e', number: 10 });
    await writer.write((await writer.state()) ?? empty, key, { epoch: 'e', number: 10 });
    expect((await writer.read(HASH))?.key).toEqual(key);
  };

  test('that a version with another shape of the record wrote, while both run', async () => {
    const older = createRecordSeal({ secret: SECRET, schema: Type.Omit(keyRecordSchema, ['retentionDays']) });
    await write(older, { ...KEY, retentionDays: undefined } as unknown as KeyRecord);
    expect(await copy()).toBeUndefined();
    await write(seal);
    expect(await copy()).toEqual(KEY);
    // Each applies the changes to its own entries.
    await cache.apply(await state(), 11, [keyChange(11)]);
    expect(await copy()).toBeUndefined();
    expect(forgeries).toEqual([]);
  });

  test('that was written under another secret', async () => {
    await write(createRecordSeal({ secret: 'another-secret' }));
    expect(await copy()).toBeUndefined();
  });

  test.each([
    ['with another record', (record: string) => record.replace('"ingest"', '"ingest","read"')],
    ['without a seal', (record: string) => record.slice(record.indexOf('{'))],
    ['that is the plain record', () => JSON.stringify(KEY)],
    ['that is nothing', () => ''],
  ])('%s, by an attacker who can write to Redis', async (_name, forge) => {
    await write(seal);
    const name = keyCacheNames(prefix, seal).entry(HASH);
    await redis.hset(name, 'record', forge((await redis.hget(name, 'record')) ?? ''));
    expect(await copy()).toBeUndefined();
    expect(forgeries).toHaveLength(1);
  });

  test('that belongs to another key', async () => {
    await write(seal);
    const { entry } = keyCacheNames(prefix, seal);
    const other = 'b'.repeat(64);
    await redis.copy(entry(HASH), entry(other));
    expect((await cache.read(other))?.key).toBeUndefined();
    expect(forgeries).toHaveLength(1);
  });

  test('that is put back after its time', async () => {
    let now = Date.now();
    const timed = createRecordSeal({ secret: SECRET, now: () => now });
    await write(timed);
    now += 60_000;
    expect(await copy()).toEqual(KEY);
    const later = cacheWith(timed);
    await later.state();
    expect((await later.read(HASH))?.key).toBeUndefined();
    expect(forgeries).toEqual([]);
  });
});

describe('changes are applied', () => {
  test('only where they follow without a gap', async () => {
    await snapshots.take();
    await cache.write(await state(), KEY, { epoch: 'e', number: 10 });
    const ahead = await state();
    await cache.apply(ahead, 11, []);
    // Another replica, with the same page, is late.
    expect(await cache.apply(ahead, 11, [])).toBe(false);

    // Redis is put back to 10 while a replica brings what follows 11.
    const eleven = await state();
    await snapshots.restore();
    expect(await cache.apply(eleven, 12, [])).toBe(false);
    expect(await state()).toMatchObject({ applied: 10 });
  });

  test('not to another history that has come as far', async () => {
    const seen = await state();
    await cache.reset(seen, { epoch: 'f', number: 10 });
    expect(await cache.apply(seen, 11, [])).toBe(false);
    expect(await state()).toMatchObject({ epoch: 'f', applied: 10 });
  });

  test('in an old snapshot before it counts again', async () => {
    await cache.write(await state(), KEY, { epoch: 'e', number: 10 });
    await snapshots.take();
    await cache.apply(await state(), 11, [keyChange(11)]);
    await snapshots.restore();
    // The revoked key is back, but with the old number: nobody who knows of 11 takes it.
    expect(await cache.read(HASH)).toMatchObject({ state: { applied: 10 }, key: KEY });
    await cache.apply(await state(), 11, [keyChange(11)]);
    expect(await cache.read(HASH)).toMatchObject({ state: { applied: 11 }, key: undefined });
  });
});

test('after a failure Redis is left alone until it responds again', async () => {
  const silent = new Redis(inject('engines').redisUrl, { lazyConnect: true, enableOfflineQueue: false });
  const errors: unknown[] = [];
  const away = createKeyCache({
    redis: silent,
    prefix: `cache:${randomBytes(6).toString('hex')}:`,
    seal,
    entrySeconds: 60,
    onError: (error) => errors.push(error),
  });
  expect(await away.state()).toBeUndefined();
  expect(errors).toHaveLength(1);
  expect(await away.read(HASH)).toBeUndefined();
  await away.write({ epoch: 'e', applied: 0, generation: '' }, KEY, { epoch: 'e', number: 1 });
  expect(errors).toHaveLength(1);

  await expect.poll(() => silent.status).toBe('ready');
  expect(await away.read(HASH)).toBeUndefined();
  expect(await away.state()).toEqual({ epoch: '', applied: 0, generation: '' });
  expect(await away.read(HASH)).toMatchObject({ key: undefined });
  silent.disconnect();
});
