import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { type ClickHouseProcess, startClickHouse } from './clickhouse-server-process.ts';

// These tests work a whole engine, which takes longer than a unit test on a busy machine.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 60_000 });

let dataDirectory: string;
let server: ClickHouseProcess;

beforeEach(async () => {
  dataDirectory = await mkdtemp(join(tmpdir(), 'cellarman-clickhouse-'));
  server = await startClickHouse({ dataDirectory });
});

afterEach(async () => {
  await server.end('SIGKILL');
  await rm(dataDirectory, { recursive: true, force: true });
});

const CREATE = `CREATE TABLE IF NOT EXISTS cells (writer UInt32, n UInt32, text String)
  ENGINE = MergeTree ORDER BY (writer, n)`;

async function count(): Promise<unknown> {
  const answer = await server.client().query({
    query: 'SELECT count(), uniqExact(writer, n) FROM cells',
    format: 'JSONCompactEachRow',
  });
  return answer.json();
}

it('SIGTERM lets running statements end, closes the engine and exits with 0', async () => {
  const client = server.client({ keep_alive: { enabled: true } });
  await client.command({ query: CREATE });
  const inserting = client.command({
    query:
      'INSERT INTO cells SELECT 1, number + sleepEachRow(0.02), toString(number) FROM numbers(40) SETTINGS max_block_size = 1',
    query_id: 'running',
  });
  const stopping = server.end('SIGTERM');
  // The client of the running statement gets its response, or an error.
  const outcome = await inserting.then(
    () => 40,
    () => 0,
  );
  expect(await stopping).toBe(0);
  server = await startClickHouse({ dataDirectory });
  if (outcome > 0) expect(await count()).toEqual([[40, 40]]);
});

it('SIGTERM stops a statement without end', async () => {
  const client = server.client();
  const endless = client.query({ query: 'SELECT sum(sipHash64(number)) FROM numbers(1e15)' });
  endless.catch(() => undefined);
  expect(await server.end('SIGTERM')).toBe(0);
  await expect(endless).rejects.toThrow();
});

it('a second process at the same directory says what is wrong', async () => {
  await expect(startClickHouse({ dataDirectory })).rejects.toThrow(/lock|used by another/i);
});

it('kill -9 loses nothing that was acknowledged', async () => {
  const acknowledged = new Map<number, Set<number>>();
  for (let round = 0; round < 3; round += 1) {
    const client = server.client();
    await client.command({ query: CREATE });
    const kill = new AbortController();
    const isKilled = (): boolean => kill.signal.aborted;
    let inserts = 0;
    const writers = Array.from({ length: 4 }, async (_, index) => {
      const writer = round * 10 + index;
      const done = new Set<number>();
      acknowledged.set(writer, done);
      for (let n = 0; !isKilled(); n += 100) {
        const values = Array.from({ length: 100 }, (_, row) => ({
          writer,
          n: n + row,
          text: 'x'.repeat(200),
        }));
        try {
          await client.insert({ table: 'cells', values, format: 'JSONEachRow' });
        } catch (error) {
          if (!isKilled()) throw error;
          break;
        }
        for (const row of values) done.add(row.n);
        inserts += 1;
        // While the others are in the middle of theirs, and parts are being merged.
        if (inserts === 60) {
          kill.abort();
          await server.end('SIGKILL');
        }
      }
    });
    await Promise.all(writers);
    server = await startClickHouse({ dataDirectory });
  }
  const answer = await server
    .client()
    .query({ query: 'SELECT writer, n FROM cells', format: 'JSONCompactEachRow' });
  const stored = new Map<number, Set<number>>();
  for (const [writer, n] of await answer.json<[number, number]>()) {
    if (!stored.has(writer)) stored.set(writer, new Set());
    stored.get(writer)?.add(n);
  }
  for (const [writer, numbers] of acknowledged) {
    const missing = [...numbers].filter((n) => !stored.get(writer)?.has(n));
    expect(missing, `missing of writer ${writer}`).toEqual([]);
  }
  expect([...acknowledged.values()].reduce((sum, numbers) => sum + numbers.size, 0)).toBeGreaterThan(15_000);
  expect(await readdir(join(dataDirectory, 'incoming'))).toEqual([]);
});

it('tables, data and databases are there after a restart', async () => {
  const client = server.client();
  await client.command({ query: 'CREATE DATABASE other' });
  await client.command({
    query: 'CREATE TABLE other.cells (x UInt8) ENGINE = ReplacingMergeTree ORDER BY x',
  });
  await client.command({ query: CREATE });
  await client.insert({ table: 'other.cells', values: [{ x: 1 }], format: 'JSONEachRow' });
  await client.insert({ table: 'cells', values: [{ writer: 1, n: 2, text: 'x' }], format: 'JSONEachRow' });
  expect(await server.end('SIGTERM')).toBe(0);
  server = await startClickHouse({ dataDirectory });
  expect(await count()).toEqual([[1, 1]]);
  const answer = await server.client().query({ query: 'SELECT x FROM other.cells', format: 'JSONEachRow' });
  expect(await answer.json()).toEqual([{ x: 1 }]);
});
