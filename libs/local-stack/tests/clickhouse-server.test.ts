import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { gzipSync } from 'node:zlib';
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
  await client.command({
    query: 'CREATE TABLE cells (id UInt32, name String) ENGINE = MergeTree ORDER BY id',
  });
});

afterAll(() => removeClickHouse(server));

async function insertLines(lines: string | Readable, using = client): Promise<string | undefined> {
  const { stream, summary } = await using.exec({
    query: 'INSERT INTO cells FORMAT JSONEachRow',
    values: typeof lines === 'string' ? bytes(lines) : lines,
  });
  stream.resume();
  return summary?.written_rows;
}

function bytes(text: string | Buffer): Readable {
  return Readable.from([Buffer.from(text)], { objectMode: false });
}

async function names(condition: string, using = client): Promise<string[]> {
  const answer = await using.query({
    query: `SELECT name FROM cells WHERE ${condition} ORDER BY id, name`,
    format: 'JSONEachRow',
  });
  return (await answer.json<{ name: string }>()).map(({ name }) => name);
}

describe('ping', () => {
  it('responds to the ping of the client, with and without a statement', async () => {
    expect(await client.ping()).toEqual({ success: true });
    expect(await client.ping({ select: true })).toEqual({ success: true });
  });

  it('is the engine version that production needs', async () => {
    const answer = await client.query({ query: 'SELECT version() AS version', format: 'JSONEachRow' });
    const [row] = await answer.json<{ version: string }>();
    expect(Number.parseFloat(row?.version ?? '')).toBeGreaterThanOrEqual(26.7);
  });
});

describe('INSERT', () => {
  it('takes an array of rows and counts them', async () => {
    const { summary } = await client.insert({
      table: 'cells',
      values: [
        { id: 1, name: 'array' },
        { id: 2, name: 'line\nbreak, "quote" and ❄' },
      ],
      format: 'JSONEachRow',
    });
    expect(summary?.written_rows).toBe('2');
    expect(await names('id IN (1, 2)')).toEqual(['array', 'line\nbreak, "quote" and ❄']);
  });

  it.each([false, true])('takes raw bytes as a stream, compressed: %s', async (request) => {
    const compressing = server.client({ compression: { request } });
    const id = request ? 11 : 10;
    const half = Buffer.from(`{"id":${id},"name":"ü"}\n{"id":${id},"name":"b"}\n`);
    // Cut inside a character and inside a row.
    const stream = Readable.from([half.subarray(0, 18), half.subarray(18)], { objectMode: false });
    expect(await insertLines(stream, compressing)).toBe('2');
    expect(await names(`id = ${id}`)).toEqual(['b', 'ü']);
  });

  it.each(['gzip', 'deflate', 'br', 'zstd'])('decodes a body with Content-Encoding %s', async (encoding) => {
    const zlib = await import('node:zlib');
    const encode = {
      gzip: zlib.gzipSync,
      deflate: zlib.deflateSync,
      br: zlib.brotliCompressSync,
      zstd: zlib.zstdCompressSync,
    }[encoding];
    const response = await server.fetch(`/?query=INSERT INTO cells FORMAT JSONEachRow`, {
      method: 'POST',
      headers: { 'content-encoding': encoding },
      body: new Uint8Array(encode?.(`{"id":12,"name":"${encoding}"}`) ?? []),
    });
    expect(response.status).toBe(200);
    expect(await names(`name = '${encoding}'`)).toEqual([encoding]);
  });

  it('rejects a broken compressed body and stores nothing', async () => {
    const response = await server.fetch(`/?query=INSERT INTO cells FORMAT JSONEachRow`, {
      method: 'POST',
      headers: { 'content-encoding': 'gzip' },
      body: new Uint8Array(gzipSync('{"id":13,"name":"cut"}').subarray(0, 20)),
    });
    expect(response.status).toBe(400);
    expect(await names('id = 13')).toEqual([]);
  });

  it('keeps every byte of the data: white space, line breaks, zeros', async () => {
    await client.command({ query: 'CREATE TABLE texts (text String) ENGINE = Memory' });
    const insert = (query: string, data: Buffer): Promise<Response> =>
      server.fetch(`/?query=${encodeURIComponent(query)}`, {
        method: 'POST',
        body: new Uint8Array(data),
      });
    await insert('INSERT INTO texts FORMAT LineAsString\n', Buffer.from('  a \n\n b'));
    await insert('INSERT INTO texts FORMAT RowBinary', Buffer.from([4, 0x0a, 0x0a, 0, 0x20]));
    const answer = await client.query({
      query: 'SELECT hex(text) AS h FROM texts ORDER BY h',
      format: 'JSONEachRow',
    });
    const stored = (await answer.json<{ h: string }>()).map(({ h }) =>
      Buffer.from(h, 'hex').toString('latin1'),
    );
    expect(stored).toEqual(['', '\n\n\0 ', '  a ', ' b']);
  });

  it.each([
    ['VALUES in the statement', "INSERT INTO cells VALUES (20, 'v'), (21, 'v')", '2'],
    [
      'rows behind an empty line',
      'INSERT INTO cells FORMAT JSONEachRow\n\n{"id":23,"name":"v"}\n\n{"id":24,"name":"v"}',
      '2',
    ],
    ['rows in the statement', 'INSERT INTO cells FORMAT JSONEachRow {"id":22,"name":"v"}', '1'],
    ['a SELECT', "INSERT INTO cells SELECT number + 30, 'v' FROM numbers(5)", '5'],
  ])('counts the rows of an INSERT with %s', async (_, query, rows) => {
    const { summary } = await client.command({ query });
    expect(summary?.written_rows).toBe(rows);
  });

  it('never takes data for SQL', async () => {
    await client.command({ query: 'CREATE TABLE victim (id UInt32) ENGINE = Memory' });
    await expect(insertLines('{"id":25,"name":"v"}\n\nDROP TABLE victim')).rejects.toMatchObject({
      code: '27',
    });
    await client.command({ query: "INSERT INTO cells VALUES (26, 'v')\n\n; DROP TABLE victim" });
    expect(await names('id = 25')).toEqual([]);
    expect(await (await client.query({ query: 'EXISTS TABLE victim', format: 'TabSeparated' })).text()).toBe(
      '1\n',
    );
  });

  it('counts the rows of materialized views too, as ClickHouse does', async () => {
    await client.command({ query: 'CREATE TABLE source (id UInt32) ENGINE = Null' });
    await client.command({ query: 'CREATE TABLE target (id UInt32) ENGINE = Memory' });
    await client.command({ query: 'CREATE MATERIALIZED VIEW copy TO target AS SELECT id FROM source' });
    const { summary } = await client.insert({
      table: 'source',
      values: [{ id: 1 }, { id: 2 }],
      format: 'JSONEachRow',
    });
    expect(summary?.written_rows).toBe('4');
  });

  it('succeeds without data', async () => {
    expect(await insertLines('')).toBe('0');
    const { summary } = await client.insert({ table: 'cells', values: [], format: 'JSONEachRow' });
    expect(summary?.written_rows ?? '0').toBe('0');
  });

  it('stores nothing of a body whose sender left', async () => {
    const leaving = new AbortController();
    const half = new ReadableStream({
      start: (body) => body.enqueue(Buffer.from('{"id":40,"name":"half"}\n')),
    });
    const sent = server.fetch(`/?query=INSERT INTO cells FORMAT JSONEachRow&query_id=leaving`, {
      method: 'POST',
      body: half,
      duplex: 'half',
      signal: leaving.signal,
    });
    leaving.abort();
    await expect(sent).rejects.toThrow('aborted');
    expect(await names('id = 40')).toEqual([]);
  });
});

describe('parameters', () => {
  it.each([
    ['String', "a'b\\c\td\ne ❄ {x:String}"],
    ['UInt64', 18446744073709551615n],
    ['Float64', 0.1],
    ['Bool', true],
    ['Array(String)', ["it's", 'a\\b']],
    ['Nullable(String)', null],
    ['DateTime64(9)', '2026-11-21 03:04:05.123456789'],
    ['Map(String, Int32)', { a: 1 }],
  ])('binds %s', async (type, value) => {
    const answer = await client.query({
      query: `SELECT {value:${type}} AS value`,
      query_params: { value },
      format: 'JSONEachRow',
      clickhouse_settings: { output_format_json_quote_64bit_integers: 1 },
    });
    expect(await answer.json()).toEqual([{ value: typeof value === 'bigint' ? String(value) : value }]);
  });

  it('binds an identifier', async () => {
    const answer = await client.query({
      query: 'SELECT {n:Identifier} FROM (SELECT 7 AS x)',
      query_params: { n: 'x' },
      format: 'TabSeparated',
    });
    expect(await answer.text()).toBe('7\n');
  });

  it('never mixes the values of statements that run concurrently', async () => {
    const answers = await Promise.all(
      Array.from({ length: 100 }, async (_, value) => {
        const answer = await client.query({
          query: 'SELECT {value:UInt32} AS value, sleep(0.01)',
          query_params: { value },
          format: 'JSONEachRow',
        });
        return (await answer.json<{ value: number }>())[0]?.value;
      }),
    );
    expect(answers).toEqual(Array.from({ length: 100 }, (_, value) => value));
  });
});

describe('results', () => {
  it.each([
    ['JSONEachRow', [{ id: 1, name: 'a' }]],
    ['JSONCompactEachRow', [[1, 'a']]],
    ['JSONStringsEachRow', [{ id: '1', name: 'a' }]],
    [
      'JSONCompactEachRowWithNames',
      [
        ['id', 'name'],
        [1, 'a'],
      ],
    ],
    [
      'JSONCompactEachRowWithNamesAndTypes',
      [
        ['id', 'name'],
        ['UInt8', 'String'],
        [1, 'a'],
      ],
    ],
  ] as const)('renders %s', async (format, expected) => {
    const answer = await client.query({ query: "SELECT 1 AS id, 'a' AS name", format });
    expect(await answer.json()).toEqual(expected);
  });

  it('renders JSON with its figures', async () => {
    const answer = await client.query({
      query: 'SELECT number FROM numbers(5) ORDER BY number LIMIT 2',
      format: 'JSON',
    });
    expect(await answer.json()).toMatchObject({
      data: [{ number: 0 }, { number: 1 }],
      rows: 2,
      rows_before_limit_at_least: 5,
    });
  });

  it.each(['JSONCompact', 'JSONStrings', 'JSONObjectEachRow'] as const)('renders %s', async (format) => {
    const answer = await client.query({ query: 'SELECT 1 AS id', format });
    expect(JSON.stringify(await answer.json())).toContain('1');
  });

  it.each([
    ['CSV', '1,"a"\n'],
    ['CSVWithNames', '"id","name"\n1,"a"\n'],
    ['TabSeparated', '1\ta\n'],
    ['TabSeparatedWithNamesAndTypes', 'id\tname\nUInt8\tString\n1\ta\n'],
  ] as const)('renders %s', async (format, expected) => {
    const answer = await client.query({ query: "SELECT 1 AS id, 'a' AS name", format });
    expect(await answer.text()).toBe(expected);
  });

  it('renders Parquet', async () => {
    const { stream } = await client.exec({ query: 'SELECT 1 AS id FORMAT Parquet' });
    expect((await buffer(stream)).subarray(-4).toString()).toBe('PAR1');
  });

  it.each([
    'JSONEachRow',
    'JSONLines',
    'JSONStringsEachRow',
    'JSONCompactEachRow',
    'JSONCompactEachRowWithNames',
    'JSONCompactEachRowWithNamesAndTypes',
    'JSONCompactStringsEachRowWithNames',
    'CSV',
    'CSVWithNames',
    'CSVWithNamesAndTypes',
    'TabSeparated',
    'TSVWithNames',
    'TabSeparatedWithNamesAndTypes',
    'TSVRaw',
    'TSKV',
    'RowBinary',
    'Native',
    'MsgPack',
  ])('streams %s with the same bytes as when it is rendered as a whole', async (format) => {
    const query = encodeURIComponent(
      `SELECT number AS \`a "quoted"\nname\`, toString(number) AS text FROM numbers(50000) SETTINGS max_threads = 1 FORMAT ${format}`,
    );
    const [streamed, whole] = await Promise.all(
      [0, 1].map(async (wait) => {
        const response = await server.fetch(`/?query=${query}&wait_end_of_query=${wait}`);
        return Buffer.from(await response.arrayBuffer());
      }),
    );
    expect(whole?.length).toBeGreaterThan(100_000);
    expect(streamed?.equals(whole ?? Buffer.alloc(0))).toBe(true);
  });

  it.each([false, true])('streams more rows than it holds, compressed: %s', async (response) => {
    const compressing = server.client({ compression: { response } });
    const answer = await compressing.query({
      query: 'SELECT number FROM numbers(500000)',
      format: 'JSONEachRow',
    });
    let sum = 0;
    for await (const rows of answer.stream<{ number: number }>()) {
      for (const row of rows) sum += row.json().number;
    }
    expect(sum).toBe((499_999 * 500_000) / 2);
  });

  it('streams a SELECT that begins with FROM', async () => {
    const answer = await client.query({
      query: 'FROM numbers(2) SELECT number',
      format: 'JSONCompactEachRow',
    });
    expect(await answer.json()).toEqual([[0], [1]]);
  });

  it('finds the FORMAT of a statement that mentions others', async () => {
    const answer = await client.query({
      query: "SELECT 'FORMAT JSON' AS format -- FORMAT CSV\n/* FORMAT TSV */",
      format: 'JSONCompactEachRow',
    });
    expect(await answer.json()).toEqual([['FORMAT JSON']]);
  });

  it('reports names, time zone and figures in headers', async () => {
    const response = await server.fetch(`/?query=SELECT 1&query_id=my-name`);
    expect(response.headers.get('x-clickhouse-query-id')).toBe('my-name');
    expect(response.headers.get('x-clickhouse-format')).toBe('TabSeparated');
    expect(response.headers.get('x-clickhouse-timezone')).toMatch(/\w+/);
    expect(JSON.parse(response.headers.get('x-clickhouse-summary') ?? '')).toMatchObject({
      result_rows: '1',
    });
  });
});

describe('other statements', () => {
  it.each([
    'SHOW DATABASES',
    'DESCRIBE TABLE cells',
    'EXPLAIN SELECT 1',
    'EXISTS TABLE cells',
    'SHOW CREATE TABLE cells',
  ])('responds to %s', async (query) => {
    const answer = await client.query({ query, format: 'JSONEachRow' });
    expect((await answer.json()).length).toBeGreaterThan(0);
  });
});
