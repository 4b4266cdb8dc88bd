import { startTcpProxyFor } from '@cellarman/local-stack';
import type { UrlProxy } from '@cellarman/local-stack';
import { createLogger } from '@cellarman/telemetry';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, inject, test, vi } from 'vitest';
import { ApiError } from '@cellarman/http-api';
import { createDatabase } from '../src/postgres/database.ts';
import type { Database } from '../src/postgres/database.ts';
import { createTestDatabase } from './test-database.ts';
import type { TestDatabase } from './test-database.ts';

const UNAVAILABLE = { code: 'unavailable' };

let real: TestDatabase;
let proxy: UrlProxy;
let database: Database;
beforeAll(async () => {
  real = await createTestDatabase(inject('engines').databaseUrl);
  proxy = await startTcpProxyFor(real.url);
});
afterAll(async () => {
  await proxy.close();
  await real.stop();
});
beforeEach(() => {
  proxy.reset();
  database = createDatabase({
    url: proxy.url,
    name: 'test',
    logger: createLogger({ service: 'test', version: '0', level: 'silent' }),
    connections: 2,
    maxWaiting: 3,
    statementTimeoutMs: 500,
  });
});
afterEach(() => database.stop());

const one = () => database.query<{ one: number }>('SELECT 1 AS one');

describe('what cannot be looked up now', () => {
  test('is rejected immediately when too many wait already', async () => {
    const slow = () => database.query('SELECT pg_sleep(0.3)');
    const results = await Promise.allSettled(Array.from({ length: 12 }, slow));
    const messages = results.flatMap((result) =>
      result.status === 'rejected' ? [(result.reason as ApiError).message] : [],
    );
    // Two are carried out, three wait.
    const atOnce = messages.filter((message) => message.startsWith('Too many requests are waiting'));
    expect(atOnce).toHaveLength(12 - 5);
  });

  test('is rejected when the server hangs, and looked up again when it is back', async () => {
    await one();
    proxy.set({ kind: 'stalled' });
    await expect(one()).rejects.toMatchObject(UNAVAILABLE);
    await expect(database.transaction(() => one())).rejects.toMatchObject(UNAVAILABLE);
    proxy.reset();
    await vi.waitFor(async () => expect(await one()).toEqual([{ one: 1 }]), 20_000);
  });

  test('is rejected when connections are cut', async () => {
    await one();
    proxy.set({ kind: 'cut' });
    await vi.waitFor(async () => expect(one()).rejects.toMatchObject(UNAVAILABLE), 20_000);
    proxy.reset();
    await vi.waitFor(async () => expect(await one()).toEqual([{ one: 1 }]), 20_000);
  });

  test('a statement that takes too long is cancelled', async () => {
    await expect(database.query('SELECT pg_sleep(60)')).rejects.toMatchObject(UNAVAILABLE);
  });

  test('a transaction that hangs is ended by the server, so that it blocks nobody', async () => {
    await database.query('CREATE TABLE locked (value int); INSERT INTO locked VALUES (1)');
    const hangs = Promise.withResolvers<undefined>();
    const released = Promise.withResolvers<undefined>();
    const hanging = database.transaction(async (transaction) => {
      await transaction.query('UPDATE locked SET value = 2');
      hangs.resolve(undefined);
      await released.promise;
      await transaction.query('SELECT 1');
    });
    const failed = expect(hanging).rejects.toMatchObject(UNAVAILABLE);
    await hangs.promise;
    await vi.waitFor(() => database.query('UPDATE locked SET value = 3'), { timeout: 20_000 });
    released.resolve(undefined);
    await failed;
    expect(await database.query('SELECT value FROM locked')).toEqual([{ value: 3 }]);
  });
});

describe('a transaction', () => {
  test('is there as a whole or not at all', async () => {
    await database.query('CREATE TABLE notes (text text)');
    await expect(
      database.transaction(async (transaction) => {
        await transaction.query(`INSERT INTO notes VALUES ('rolled back')`);
        throw new Error('changed my mind');
      }),
    ).rejects.toThrow('changed my mind');
    await database.transaction((transaction) => transaction.query(`INSERT INTO notes VALUES ('kept')`));
    expect(await database.query('SELECT text FROM notes')).toEqual([{ text: 'kept' }]);
  });

  test('of which the connection is lost half-way is rolled back', async () => {
    await database.query('CREATE TABLE halves (value int)');
    await expect(
      database.transaction(async (transaction) => {
        await transaction.query('INSERT INTO halves VALUES (1)');
        proxy.set({ kind: 'cut' });
        await transaction.query('INSERT INTO halves VALUES (2)');
      }),
    ).rejects.toMatchObject(UNAVAILABLE);
    proxy.reset();
    await vi.waitFor(async () => expect(await database.query('SELECT * FROM halves')).toEqual([]), 20_000);
  });
});

test('an internal error is no rejection', async () => {
  const error = await database.query('SELECT nonsense').catch((reason: unknown) => reason);
  expect(error).not.toBeInstanceOf(ApiError);
  expect(error).toMatchObject({ code: '42703' });
});
