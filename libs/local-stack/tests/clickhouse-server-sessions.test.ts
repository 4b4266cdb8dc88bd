import type { ClickHouseClient } from '@clickhouse/client';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { type ClickHouseProcess, removeClickHouse, startClickHouse } from './clickhouse-server-process.ts';

// These tests work a whole engine, which takes longer than a unit test on a busy machine.
vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

let server: ClickHouseProcess;
let client: ClickHouseClient;

beforeAll(async () => {
  server = await startClickHouse();
  client = server.client();
});

afterAll(() => removeClickHouse(server));

async function value(
  query: string,
  options: Parameters<ClickHouseClient['query']>[0] | object = {},
): Promise<string> {
  const answer = await client.query({ query, format: 'TabSeparated', ...options });
  return (await answer.text()).trim();
}

describe('settings', () => {
  it('hold for one request and are gone in the next', async () => {
    const readThreads = "SELECT getSetting('max_threads')";
    const before = await value(readThreads);
    expect(await value(readThreads, { clickhouse_settings: { max_threads: 7 } })).toBe('7');
    expect(await value(readThreads)).toBe(before);
  });

  it('that a statement SETs without a session are gone in the next request', async () => {
    await client.command({ query: 'SET max_threads = 9' });
    expect(await value("SELECT getSetting('max_threads')")).not.toBe('9');
  });

  it('of one request do not reach another at the same time', async () => {
    const answers = await Promise.all(
      Array.from({ length: 40 }, (_, n) =>
        value("SELECT getSetting('max_threads'), sleep(0.02)", {
          clickhouse_settings: { max_threads: n + 1 },
        }),
      ),
    );
    expect(answers.map((answer) => Number.parseInt(answer))).toEqual(
      Array.from({ length: 40 }, (_, n) => n + 1),
    );
  });

  it('work for an INSERT', async () => {
    await client.command({ query: 'CREATE TABLE strict (id UInt32) ENGINE = Memory' });
    const insert = (skip: 0 | 1) =>
      client.insert({
        table: 'strict',
        values: [{ id: 1, other: 2 }],
        format: 'JSONEachRow',
        clickhouse_settings: { input_format_skip_unknown_fields: skip },
      });
    await expect(insert(0)).rejects.toMatchObject({ code: '117' });
    expect((await insert(1)).summary?.written_rows).toBe('1');
  });

  it('carry quotes and backslashes', async () => {
    const text = `it's a \\ "test"`;
    expect(
      await value("SELECT getSetting('format_csv_null_representation') = {text:String}", {
        clickhouse_settings: { format_csv_null_representation: text },
        query_params: { text },
      }),
    ).toBe('1');
  });
});

describe('parameters', () => {
  it('are gone in the next request', async () => {
    expect(await value('SELECT {x:UInt8}', { query_params: { x: 5 } })).toBe('5');
    await expect(value('SELECT {x:UInt8}')).rejects.toMatchObject({ code: '456' });
  });
});

describe('the database', () => {
  it('comes with each request, and USE does not stay', async () => {
    await client.command({ query: 'CREATE DATABASE `odd ``name`' });
    const odd = server.client({ database: 'odd `name' });
    await odd.command({ query: 'CREATE TABLE here (x UInt8) ENGINE = Memory' });
    const answer = await odd.query({ query: 'SELECT currentDatabase()', format: 'JSONCompactEachRow' });
    expect(await answer.json()).toEqual([['odd `name']]);
    await client.command({ query: 'USE `odd ``name`' });
    expect(await value('SELECT currentDatabase()')).toBe('default');
    expect(await value('EXISTS TABLE here')).toBe('0');
  });

  it('must exist', async () => {
    await expect(server.client({ database: 'nowhere' }).query({ query: 'SELECT 1' })).rejects.toMatchObject({
      code: '81',
    });
  });
});

describe('a session', () => {
  it('keeps settings and temporary tables', async () => {
    const session = { session_id: 'keeping' };
    await client.command({ query: 'SET max_threads = 3', ...session });
    await client.command({ query: 'CREATE TEMPORARY TABLE mine (x UInt8)', ...session });
    await client.insert({ table: 'mine', values: [{ x: 4 }], format: 'JSONEachRow', ...session });
    expect(await value("SELECT x, getSetting('max_threads') FROM mine", session)).toBe('4\t3');
    await expect(value('SELECT * FROM mine')).rejects.toMatchObject({ code: '60' });
  });

  it('survives an error in it', async () => {
    const session = { session_id: 'erring' };
    await client.command({ query: 'SET max_threads = 3', ...session });
    await expect(value('SELECT nothing', session)).rejects.toMatchObject({ code: '47' });
    await expect(
      value('SELECT 1', { ...session, clickhouse_settings: { nothing: 1 } }),
    ).rejects.toMatchObject({ code: '115' });
    expect(await value("SELECT getSetting('max_threads')", session)).toBe('3');
  });

  it('runs one statement at a time', async () => {
    const session = { session_id: 'busy' };
    const leaving = new AbortController();
    const sleeping = value('SELECT sum(sipHash64(number)) FROM numbers(1e15)', {
      ...session,
      abort_signal: leaving.signal,
    });
    sleeping.catch(() => undefined);
    await vi.waitFor(async () => {
      await expect(value('SELECT 1', session)).rejects.toMatchObject({
        code: '373',
        type: 'SESSION_IS_LOCKED',
      });
    }, 20_000);
    leaving.abort();
    await expect(sleeping).rejects.toThrow();
    await vi.waitFor(async () => expect(await value('SELECT 1', session)).toBe('1'), { timeout: 20_000 });
  });
});
