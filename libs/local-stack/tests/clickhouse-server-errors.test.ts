import { once } from 'node:events';
import { request } from 'node:http';
import type { IncomingMessage } from 'node:http';
import { ClickHouseError, type ClickHouseClient } from '@clickhouse/client';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { type ClickHouseProcess, removeClickHouse, startClickHouse } from './clickhouse-server-process.ts';

// These tests work a whole engine, which takes longer than a unit test on a busy machine.
vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

let server: ClickHouseProcess;
let client: ClickHouseClient;

beforeAll(async () => {
  server = await startClickHouse();
  client = server.client();
  await client.command({
    query: `CREATE TABLE cells (id UInt32, CONSTRAINT small CHECK id < 1000) ENGINE = MergeTree ORDER BY id`,
  });
});

afterAll(() => removeClickHouse(server));

const post = (query: string, body = '', headers: Record<string, string> = {}): Promise<Response> =>
  server.fetch(`/?query=${encodeURIComponent(query)}`, { method: 'POST', body, headers });

async function rows(): Promise<number> {
  const answer = await client.query({ query: 'SELECT count() AS rows FROM cells', format: 'JSONEachRow' });
  return Number((await answer.json<{ rows: string }>())[0]?.rows);
}

describe('the status and the code of an error', () => {
  it.each([
    [404, 60, 'SELECT * FROM nothing'],
    [404, 47, 'SELECT nothing'],
    [404, 46, 'SELECT no_such_function()'],
    [404, 81, 'SELECT * FROM nothing.nothing'],
    [404, 115, 'SELECT 1 SETTINGS nothing = 1'],
    [404, 73, 'SELECT 1 FORMAT Nothing'],
    [400, 62, 'SELEC 1'],
    [400, 62, 'SELECT 1; SELECT 2'],
    [400, 62, 'CREATE TABLE a (x Int8) ENGINE = Memory; DROP TABLE a'],
    [400, 62, '-- nothing'],
    [400, 53, "SELECT * FROM numbers(3) WHERE number = 'x'"],
    [500, 395, 'SELECT throwIf(1)'],
    [500, 57, 'CREATE TABLE cells (x Int8) ENGINE = Memory'],
    [500, 241, 'SELECT groupArray(number) FROM numbers(100000000) SETTINGS max_memory_usage = 10000000'],
    [408, 159, 'SELECT sum(sipHash64(number)) FROM numbers(1e12) SETTINGS max_execution_time = 0.2'],
    [501, 48, "INSERT INTO cells SELECT id FROM input('id UInt32') FORMAT CSV"],
    [404, 78, "INSERT INTO cells FROM INFILE 'x.csv' FORMAT CSV"],
  ])('is %i and %i for %s', async (status, code, query) => {
    const response = await post(query);
    const text = await response.text();
    expect([response.status, Number(response.headers.get('x-clickhouse-exception-code')), text]).toEqual([
      status,
      code,
      expect.stringMatching(
        new RegExp(`^Code: ${code}\\. DB::Exception: [^]*\\([A-Z_]+\\) \\(version [^)]+\\)\\)\\n$`),
      ),
    ]);
  });

  it.each([
    [404, 60, 'INSERT INTO nothing FORMAT JSONEachRow', '{"id":1}'],
    [404, 60, 'INSERT INTO nothing FORMAT JSONEachRow', ''],
    [400, 27, 'INSERT INTO cells FORMAT JSONEachRow', '{"id":1}\n{"id":zz}\n'],
    [
      400,
      117,
      'INSERT INTO cells SETTINGS input_format_skip_unknown_fields = 0 FORMAT JSONEachRow',
      '{"id":1,"x":2}',
    ],
    [500, 469, 'INSERT INTO cells FORMAT JSONEachRow', '{"id":1}\n{"id":1000}\n'],
    [404, 73, 'INSERT INTO cells FORMAT Nothing', 'x'],
    [400, 62, 'INSERT INTO cells FORMAT CSV;', '1\n'],
  ])('is %i and %i for %s with %j, and nothing is stored', async (status, code, query, data) => {
    const response = await post(query, data);
    expect([response.status, Number(response.headers.get('x-clickhouse-exception-code'))]).toEqual([
      status,
      code,
    ]);
    expect(await response.text()).not.toContain('incoming');
    expect(await rows()).toBe(0);
  });

  it('names the row of bad data', async () => {
    const response = await post('INSERT INTO cells FORMAT JSONEachRow', '{"id":1}\n{"id":2}\n{"id":zz}\n');
    expect(await response.text()).toContain('(at row 3)');
  });

  it('reaches the caller of the client as a typed error', async () => {
    const error: unknown = await client
      .query({ query: 'SELECT * FROM nothing' })
      .catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(ClickHouseError);
    expect(error).toMatchObject({ code: '60', type: 'UNKNOWN_TABLE' });
  });

  it.each([false, true])(
    'reaches the client in the middle of a streamed response, compressed: %s',
    async (response) => {
      const compressing = server.client({ compression: { response } });
      const answer = await compressing.query({
        query: 'SELECT number, throwIf(number = 600000) FROM numbers(1000000)',
        format: 'JSONEachRow',
      });
      let received = 0;
      const reading = (async () => {
        for await (const part of answer.stream()) received += part.length;
      })();
      await expect(reading).rejects.toMatchObject({
        code: '395',
        type: 'FUNCTION_THROW_IF_VALUE_IS_NON_ZERO',
      });
      expect(received).toBeGreaterThan(0);
    },
  );

  it('keeps its status when it comes before the first bytes are sent', async () => {
    const response = await post(
      'SELECT number, throwIf(number = 20000) FROM numbers(100000) SETTINGS max_block_size = 1000',
    );
    expect(response.status).toBe(500);
  });

  it('keeps its status for a long response when the client waits for the end', async () => {
    const query = encodeURIComponent('SELECT number, throwIf(number = 600000) FROM numbers(1000000)');
    const response = await server.fetch(`/?wait_end_of_query=1&query=${query}`);
    expect([response.status, response.headers.get('x-clickhouse-exception-code')]).toEqual([500, '395']);
  });
});

describe('what is not offered', () => {
  it.each([
    [501, { compress: '1', query: 'SELECT 1' }],
    [501, { decompress: '1', query: 'SELECT 1' }],
    [404, { 'bad name': '1', query: 'SELECT 1' }],
  ])('is rejected with %i: %j', async (status, parameters) => {
    const response = await server.fetch(`/?${new URLSearchParams(parameters).toString()}`, {
      method: 'POST',
    });
    expect(response.status).toBe(status);
  });

  it('says so for an unknown Content-Encoding', async () => {
    const response = await post('INSERT INTO cells FORMAT CSV', '1', { 'content-encoding': 'snappy' });
    expect([response.status, response.headers.get('x-clickhouse-exception-code')]).toEqual([500, '89']);
  });

  it('returns 404 for an unknown path', async () => {
    expect((await server.fetch(`/nothing`)).status).toBe(404);
  });

  it('writes nothing for a GET', async () => {
    const response = await server.fetch(`/?query=INSERT INTO cells VALUES (1)`);
    expect([response.status, response.headers.get('x-clickhouse-exception-code')]).toEqual([500, '164']);
    expect(await rows()).toBe(0);
  });
});

describe('credentials', () => {
  it('are required from every client, and ping stays open', async () => {
    const wrong = server.client({ password: 'guess' });
    await expect(wrong.query({ query: 'SELECT 1' })).rejects.toMatchObject({ code: '516' });
    await expect(wrong.insert({ table: 't', values: [{ a: 1 }] })).rejects.toMatchObject({ code: '516' });
    expect(await wrong.ping()).toEqual({ success: true });

    const { url, username, password } = server;
    const status = async (headers: Record<string, string>): Promise<number> =>
      (await fetch(`${url}/?query=SELECT 1`, { headers })).status;
    const basic = (text: string): string => `Basic ${Buffer.from(text).toString('base64')}`;
    expect(await status({})).toBe(403);
    expect(await status({ 'x-clickhouse-user': username, 'x-clickhouse-key': password })).toBe(200);
    expect(await status({ 'x-clickhouse-user': username, 'x-clickhouse-key': `${password}x` })).toBe(403);
    expect(await status({ 'x-clickhouse-user': 'other', 'x-clickhouse-key': password })).toBe(403);
    expect(await status({ authorization: basic(`${username}:${password}`) })).toBe(200);
    expect(await status({ authorization: basic(`${username}:`) })).toBe(403);
  });

  it('are needed: without a password the server does not start', async () => {
    await expect(startClickHouse({ password: '' })).rejects.toThrow('CLICKHOUSE_PASSWORD is missing');
  });
});

describe('a request that a web page makes a browser send', () => {
  // `fetch` sets these three itself.
  const send = async (path: string, headers: Record<string, string>): Promise<number | undefined> => {
    const { hostname, port } = new URL(server.url);
    const auth = `${server.username}:${server.password}`;
    const sent = request({ hostname, port, path, method: 'POST', auth, headers }).end('SELECT 1');
    const [response] = (await once(sent, 'response')) as [IncomingMessage];
    response.resume();
    return response.statusCode;
  };

  it.each<[string, Record<string, string>]>([
    ['a page of another site', { origin: 'https://example.org' }],
    ['a sandboxed page', { origin: 'null' }],
    ['a page of another port', { origin: 'http://127.0.0.1:3000' }],
    ['a page of another site, without CORS', { 'sec-fetch-site': 'cross-site' }],
    ['a page of another port, without CORS', { 'sec-fetch-site': 'same-site' }],
    ['a name that is rebound to this machine', { host: 'rebound.example.org:4323' }],
    ['a name that only looks like one of ours', { host: 'localhost.example.org' }],
    ['a host that is none', { host: 'a b' }],
  ])('is rejected when it comes from %s, whatever the credentials', async (_, headers) => {
    expect([await send('/', headers), await send('/ping', headers)]).toEqual([403, 403]);
  });

  it.each<[string, Record<string, string>]>([
    ['a client', {}],
    ['a client that calls this machine localhost', { host: 'localhost:4323' }],
    ['a client that speaks IPv6', { host: '[::1]:4323' }],
    ['the address bar', { 'sec-fetch-site': 'none' }],
    [
      'our own origin',
      { host: 'localhost:4323', origin: 'http://localhost:4323', 'sec-fetch-site': 'same-origin' },
    ],
  ])('is taken from %s', async (_, headers) => {
    expect([await send('/', headers), await send('/ping', headers)]).toEqual([200, 200]);
  });
});
