import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { checkParsing } from '../src/store/check-parsing.ts';
import { connectClickHouse } from '@cellarman/clickhouse';
import type { ClickHouse } from '@cellarman/clickhouse';
import { insertLines } from '../src/store/insert-lines.ts';
import { BAD_DATA_CODES } from '../src/store/is-bad-data.ts';
import { checkTables, migrateTables } from '../src/migrate/migrate-tables.ts';
import { MIGRATIONS } from '../src/migrate/migrations.ts';
import { readingLine } from '../../../libs/reading/tests/reading-line.ts';
import { runMigrate, startSink } from './sink-process.ts';
import { openHarness } from './harness.ts';

describe('the tables', () => {
  const database = `sink_test_${randomBytes(5).toString('hex')}`;
  let clickhouse: ClickHouse;
  const { clickhouseUrl: url, clickhouseUser: user, clickhousePassword: password } = inject('engines');
  const access = { url, user, password, application: 'test' };

  beforeAll(async () => {
    const server = connectClickHouse({ ...access, database: 'default' });
    await server.command({ query: `CREATE DATABASE ${database}` });
    await server.close();
    clickhouse = connectClickHouse({ ...access, database });
  });
  afterAll(async () => {
    await clickhouse.command({ query: `DROP DATABASE ${database}` });
    await clickhouse.close();
  });

  const insert = (table: string, line: string) =>
    insertLines(clickhouse, { table, lines: Buffer.from(`${line}\n`), rows: 1 });

  it('are demanded before they are there', async () => {
    await expect(checkTables(clickhouse)).rejects.toThrow('run `sink migrate` first');
  });

  it('are made by several concurrently, and made once', async () => {
    await Promise.all([1, 2, 3].map(() => migrateTables(clickhouse, { log: () => {} })));
    expect(await migrateTables(clickhouse, { log: () => {} })).toEqual([]);
    await checkTables(clickhouse);
  });

  it('reject a migration that was edited after it ran', async () => {
    const edited = MIGRATIONS.map((migration) => ({ ...migration, statements: ['SELECT 1'] }));
    await expect(migrateTables(clickhouse, { log: () => {}, migrations: edited })).rejects.toThrow('edited');
  });

  it('store numbers and nine digits of a second unchanged', async () => {
    await checkParsing(clickhouse);
  });

  it.each(['readings_stored', 'readings_check'])(
    'reject by themselves what is not finite, missing or out of range: %s',
    async (table) => {
      const rejected = { code: '469' };
      for (const field of ['cellar', 'rack', 'keg', 'value', 'timestamp', 'received_at', 'key_id']) {
        await expect(insert(table, readingLine({ [field]: undefined })), field).rejects.toMatchObject(
          rejected,
        );
      }
      await expect(insert(table, readingLine({ value: '1e400' }))).rejects.toMatchObject(rejected);
      await expect(insert(table, readingLine({ value: 'null' }))).rejects.toMatchObject(rejected);
      await expect(insert(table, readingLine({ value: 'true' }))).rejects.toMatchObject({ code: '72' });
      await expect(insert(table, readingLine({ unit: '1' }))).rejects.toMatchObject({ code: '117' });
      const early = readingLine({ timestamp: '"1899-12-31T23:59:59Z"' });
      await expect(insert(table, early)).rejects.toMatchObject(rejected);
      const late = readingLine({ timestamp: '"2096-01-01T00:00:00Z"' });
      await expect(insert(table, late)).rejects.toMatchObject(rejected);
      await insert(table, readingLine({ timestamp: '"1900-01-01T00:00:00Z"' }));
    },
  );

  it('take readings of every month of ten years in one insert', async () => {
    const lines = Array.from({ length: 120 }, (_, month) =>
      readingLine({
        timestamp: `"20${String(20 + Math.floor(month / 12))}-${String((month % 12) + 1).padStart(2, '0')}-01T00:00:00Z"`,
      }),
    );
    await insertLines(clickhouse, {
      table: 'readings_stored',
      lines: Buffer.from(`${lines.join('\n')}\n`),
      rows: 120,
    });
  });

  it('know the error codes that the sink takes for bad rows by the same names', async () => {
    const codes = [...BAD_DATA_CODES.keys()];
    const answer = await clickhouse.query({
      query:
        'SELECT code, errorCodeToName(code) AS name FROM (SELECT arrayJoin({codes: Array(UInt32)}) AS code)',
      query_params: { codes },
      format: 'JSONEachRow',
    });
    const rows = await answer.json<{ code: number; name: string }>();
    expect(new Map(rows.map(({ code, name }) => [code, name]))).toEqual(BAD_DATA_CODES);
  });

  it('are rejected when they change a number', async () => {
    const database = `sink_test_${randomBytes(5).toString('hex')}`;
    await clickhouse.command({ query: `CREATE DATABASE ${database}` });
    await clickhouse.command({
      query: `CREATE TABLE ${database}.readings_stored (cellar String, rack String, keg String, value Float32,
        timestamp DateTime64(9, 'UTC'), received_at DateTime64(3, 'UTC'), key_id String) ENGINE = Memory`,
    });
    const altered = connectClickHouse({ ...access, database });
    await expect(checkParsing(altered)).rejects.toThrow(/changes readings.*3\.7758 became/);
    await altered.close();
    await clickhouse.command({ query: `DROP DATABASE ${database}` });
  });

  it('are checked without writing, so that any server behind a load balancer can respond', async () => {
    // What one statement writes and another reads back is missing behind a load balancer.
    const cannotWrite = connectClickHouse({ ...access, database, settings: { readonly: '2' } });
    await checkParsing(cannotWrite);
    await cannotWrite.close();
  });
});

describe('migration 8, on tables with rows', () => {
  const MINUTE = 60_000;
  const BEGIN = Date.now() - 600 * MINUTE;
  let clickhouse: ClickHouse;
  let drop: () => Promise<void>;

  beforeAll(async () => {
    const { clickhouseUrl: url, clickhouseUser: user, clickhousePassword: password } = inject('engines');
    const access = { url, user, password, application: 'test' };
    const database = `sink_test_${randomBytes(5).toString('hex')}`;
    const server = connectClickHouse({ ...access, database: 'default' });
    await server.command({ query: `CREATE DATABASE ${database}` });
    clickhouse = connectClickHouse({ ...access, database });
    drop = async () => {
      await clickhouse.close();
      await server.command({ query: `DROP DATABASE ${database}` });
      await server.close();
    };
    await migrateTables(clickhouse, {
      log: () => {},
      migrations: MIGRATIONS.filter(({ number }) => number < 8),
    });
  });
  afterAll(() => drop());

  /** Readings of a minute each, received up to a second later, and the first of them again an hour later. */
  async function store(first: number, count: number): Promise<void> {
    const at = (ms: number) => JSON.stringify(new Date(ms).toISOString());
    const line = (minute: number, receivedAt: number) => {
      const timestamp = at(BEGIN + minute * MINUTE);
      return readingLine({ value: String(minute), timestamp, received_at: at(receivedAt) });
    };
    const lines = Array.from({ length: count }, (_, n) =>
      line(first + n, BEGIN + (first + n) * MINUTE + (n % 1_000)),
    );
    lines.push(line(first, BEGIN + (first + 60) * MINUTE));
    await insertLines(clickhouse, {
      table: 'readings_stored',
      lines: Buffer.from(`${lines.join('\n')}\n`),
      rows: lines.length,
    });
  }

  async function rows(sql: string): Promise<unknown[]> {
    return (await clickhouse.query({ query: sql, format: 'JSONCompactEachRow' })).json();
  }

  const received = () =>
    rows(`SELECT value, toString(timestamp), toString(received_at) FROM received_readings
      WHERE value < 100 ORDER BY value`);

  it('changes no reading, also when it was interrupted, and the feed goes on', async () => {
    await store(0, 100);
    const before = await received();
    expect(before).toHaveLength(100);
    const eighth = MIGRATIONS.find(({ number }) => number === 8);
    // Cut off after each statement, with readings stored in between.
    for (const [n, query] of (eighth?.statements ?? []).entries()) {
      await clickhouse.command({ query });
      expect(await received()).toEqual(before);
      await store(100 + n * 100, 100);
    }
    expect(await migrateTables(clickhouse, { log: () => {} })).toEqual([8]);
    expect(await received()).toEqual(before);

    await clickhouse.command({ query: 'OPTIMIZE TABLE readings_by_time FINAL' });
    expect(await received()).toEqual(before);
    const late = "countIf(dateDiff('second', timestamp, received_at) > 1)";
    expect(await rows(`SELECT count(), ${late} FROM received_readings`)).toEqual([[300, 0]]);
  });

  it('compresses what is stored from then on, and older parts when they merge', async () => {
    const columns = await rows(`SELECT table, name, compression_codec FROM system.columns
      WHERE database = currentDatabase() AND table IN ('readings_stored', 'readings_by_time')
        AND name IN ('timestamp', 'received_at') ORDER BY table DESC, position`);
    expect(columns).toEqual([
      ['readings_stored', 'timestamp', 'CODEC(GCD, Delta(8), ZSTD(1))'],
      ['readings_stored', 'received_at', 'CODEC(Delta(8), ZSTD(1))'],
      ['readings_by_time', 'timestamp', 'CODEC(GCD, Delta(8), ZSTD(1))'],
      ['readings_by_time', 'received_at', 'CODEC(T64, ZSTD(1))'],
    ]);
  });
});

describe('the view', () => {
  it('shows a repeated reading once, with zero and minus zero being one', async () => {
    const harness = await openHarness(inject('engines'));
    const timestamp = '"2026-11-21T03:00:00.000000001Z"';
    const rows = [
      readingLine({ timestamp }),
      readingLine({ timestamp }),
      readingLine({ timestamp, received_at: '"2026-11-21T04:00:00.000Z"', key_id: '"other"' }),
      readingLine({ timestamp, value: '21.50' }),
      readingLine({ timestamp, value: '0' }),
      readingLine({ timestamp, value: '-0' }),
      readingLine({ timestamp, value: '-0.0' }),
      readingLine({ timestamp: '"2026-11-21T03:00:00.000000002Z"' }),
    ];
    await harness.send(rows.map((value) => ({ value })));
    await harness.startSink();
    await expect
      .poll(
        () =>
          harness.query(
            'SELECT value, toString(timestamp), 1 / value < 0 FROM readings ORDER BY timestamp, value',
          ),
        { timeout: 30_000 },
      )
      .toEqual([
        [0, '2026-11-21 03:00:00.000000001', 0],
        [21.5, '2026-11-21 03:00:00.000000001', 0],
        [21.5, '2026-11-21 03:00:00.000000002', 0],
      ]);
    await harness.close();
  });
});

describe('the program', () => {
  it('rejects topics that can lose readings, unless it is allowed', async () => {
    const harness = await openHarness(inject('engines'));
    const strict = { ...harness.env, ALLOW_WEAK_TOPIC: 'false' };
    await expect(runMigrate(strict)).rejects.toThrow('keeps 1 replicas, 3 are demanded');
    const sink = await startSink(strict);
    expect(await sink.exited).toBe(1);
    expect(JSON.stringify(sink.log)).toContain('keeps 1 replicas, 3 are demanded');
    await harness.close();
  });

  it('can migrate again, and several times concurrently', async () => {
    const harness = await openHarness(inject('engines'));
    const migrations = () => harness.query('SELECT * FROM schema_migrations ORDER BY ALL');
    const tables = () =>
      harness.query(
        'SELECT name, create_table_query FROM system.tables WHERE database = currentDatabase() ORDER BY name',
      );
    const before = [await migrations(), await tables()];
    await Promise.all([runMigrate(harness.env), runMigrate(harness.env)]);
    expect([await migrations(), await tables()]).toEqual(before);
    expect(before[0]).toHaveLength(MIGRATIONS.length);
    await harness.close();
  });

  it('lists every problem of its configuration', async () => {
    const log = await runMigrate({ KAFKA_BROKERS: '', CLICKHOUSE_URL: 'ftp://x' }).catch(String);
    expect(log).toContain('KAFKA_BROKERS is missing');
    expect(log).toContain('CLICKHOUSE_URL');
  });
});
