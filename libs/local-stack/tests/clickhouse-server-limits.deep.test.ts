import { once } from 'node:events';
import { connect } from 'node:net';
import { Readable } from 'node:stream';
import type { ClickHouseClient } from '@clickhouse/client';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { type ClickHouseProcess, removeClickHouse, startClickHouse } from './clickhouse-server-process.ts';

// These tests work a whole engine, which takes longer than a unit test on a busy machine.
vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

let server: ClickHouseProcess;
let client: ClickHouseClient;

beforeAll(async () => {
  server = await startClickHouse();
  client = server.client({ max_open_connections: 1000 });
});

afterAll(() => removeClickHouse(server));

const WAIT = { timeout: 20_000 };

const ENDLESS = 'SELECT sum(sipHash64(number)) FROM numbers(1e15)';

async function names(): Promise<string[]> {
  const answer = await client.query({
    query: "SELECT Settings['log_comment'] AS name FROM system.processes",
    format: 'JSONEachRow',
  });
  return (await answer.json<{ name: string }>()).map(({ name }) => name);
}

describe('a statement that nobody waits for', () => {
  it.each(['JSON', 'JSONEachRow'] as const)('is stopped when its client leaves (%s)', async (format) => {
    const leaving = new AbortController();
    const query_id = `left-${format}`;
    const asked = client.query({ query: ENDLESS, format, query_id, abort_signal: leaving.signal });
    asked.catch(() => undefined);
    await vi.waitFor(async () => expect(await names()).toContain(query_id), WAIT);
    leaving.abort();
    await expect(asked).rejects.toThrow();
    await vi.waitFor(async () => expect(await names()).not.toContain(query_id), WAIT);
  });

  it('is stopped when its client leaves while rows stream', async () => {
    const { stream } = await client.exec({
      query: "SELECT number, repeat('x', 100) FROM numbers(1e12) FORMAT JSONEachRow",
      query_id: 'left-stream',
    });
    await once(stream, 'data');
    expect(await names()).toContain('left-stream');
    stream.destroy();
    await vi.waitFor(async () => expect(await names()).not.toContain('left-stream'), WAIT);
  });
});

describe('the name of a statement', () => {
  it('is unique, so a second statement of the same name is rejected', async () => {
    const leaving = new AbortController();
    const first = client.query({ query: ENDLESS, query_id: 'twice', abort_signal: leaving.signal });
    first.catch(() => undefined);
    await vi.waitFor(async () => expect(await names()).toContain('twice'), WAIT);
    await expect(client.query({ query: 'SELECT 1', query_id: 'twice' })).rejects.toMatchObject({
      code: '216',
    });
    leaving.abort();
    await vi.waitFor(async () => expect(await names()).not.toContain('twice'), WAIT);
  });
});

describe('many clients', () => {
  it('wait for their turn, and are rejected beyond the queue', async () => {
    const asked = Array.from({ length: 400 }, (_, n) =>
      client.query({ query: 'SELECT sleep(0.3)', query_id: `crowd-${n}` }).then(
        async (answer) => (await answer.text(), 'answered'),
        (error: unknown) => (error as { code?: string }).code,
      ),
    );
    const outcomes = await Promise.all(asked);
    const answered = outcomes.filter((outcome) => outcome === 'answered').length;
    const rejected = outcomes.filter((outcome) => outcome === '202').length;
    expect(answered + rejected).toBe(400);
    expect(answered).toBeGreaterThan(100);
    expect(rejected).toBeGreaterThan(0);
    expect(await (await client.query({ query: 'SELECT 1', format: 'TabSeparated' })).text()).toBe('1\n');
  });

  it('insert at the same time without losing or doubling a row', async () => {
    await client.command({
      query: 'CREATE TABLE crowd (client UInt32, n UInt32) ENGINE = MergeTree ORDER BY n',
    });
    const written = await Promise.all(
      Array.from({ length: 40 }, async (_, n) => {
        const values = Array.from({ length: 250 }, (_, row) => ({ client: n, n: row }));
        const { summary } = await client.insert({ table: 'crowd', values, format: 'JSONEachRow' });
        return summary?.written_rows;
      }),
    );
    expect(new Set(written)).toEqual(new Set(['250']));
    const answer = await client.query({
      query: 'SELECT count() AS rows, uniqExact(client, n) AS distinct FROM crowd',
      format: 'JSONCompactEachRow',
    });
    expect(await answer.json()).toEqual([[10_000, 10_000]]);
  });
});

describe.skipIf(process.platform !== 'linux')('the memory of a process of its own', () => {
  /** A server that buffered the data would exceed the bound by far, together with the 300 MB of the engine. */
  const DATA_BYTES = 900_000_000;
  const MOST_BYTES = 1_000_000_000;
  const ROW = 'x'.repeat(1000);
  const ROWS = DATA_BYTES / ROW.length;

  it('does not grow with the response to a streamed SELECT', { timeout: 180_000 }, async () => {
    const alone = await startClickHouse();
    const { stream } = await alone.client().exec({
      query: `SELECT number, repeat('x', ${ROW.length}) FROM numbers(${ROWS}) FORMAT JSONEachRow`,
    });
    let received = 0;
    for await (const chunk of stream) received += (chunk as Buffer).length;
    expect(received).toBeGreaterThan(DATA_BYTES);
    expect(await alone.peakMemoryBytes()).toBeLessThan(MOST_BYTES);
    await removeClickHouse(alone);
  });

  it('does not grow with the data of an INSERT', { timeout: 180_000 }, async () => {
    const alone = await startClickHouse();
    const alonesClient = alone.client();
    await alonesClient.command({ query: 'CREATE TABLE hole (text String) ENGINE = Null' });
    const megabyte = Buffer.from(`{"text":"${ROW}"}\n`.repeat(1000));
    async function* data(): AsyncGenerator<Buffer> {
      for (let n = 0; n < ROWS / 1000; n += 1) yield megabyte;
    }
    const { stream, summary } = await alonesClient.exec({
      query: 'INSERT INTO hole FORMAT JSONEachRow',
      values: Readable.from(data(), { objectMode: false }),
    });
    stream.resume();
    expect(summary?.written_rows).toBe(String(ROWS));
    expect(await alone.peakMemoryBytes()).toBeLessThan(MOST_BYTES);
    await removeClickHouse(alone);
  });
});

describe('memory', () => {
  it('is not filled by a document without end', async () => {
    await expect(
      client.query({ query: 'SELECT number FROM numbers(1e9)', format: 'JSON' }),
    ).rejects.toMatchObject({
      code: '396',
    });
  });
});

describe('a slow client', () => {
  it('does not stop the others while it sends its statement', async () => {
    const { hostname, port } = new URL(server.url);
    const sockets = Array.from({ length: 5 }, () => connect(Number(port), hostname));
    for (const socket of sockets) {
      socket.write(
        'POST /?query=INSERT+INTO+t+FORMAT+CSV HTTP/1.1\r\nHost: x\r\nContent-Length: 1000\r\n\r\n1',
      );
    }
    await Promise.all(sockets.map((socket) => once(socket, 'connect')));
    expect(await client.ping({ select: true })).toEqual({ success: true });
    for (const socket of sockets) socket.destroy();
  });
});
