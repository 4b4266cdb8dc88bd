import { Readable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { clickhouseLogin } from '@cellarman/local-stack';
import type { StartedEngines } from '@cellarman/local-stack';
import { createClient } from '@clickhouse/client';
import { migrateTables } from '../../services/sink/src/migrate/migrate-tables.ts';
import { MIGRATIONS } from '../../services/sink/src/migrate/migrations.ts';
import { cpuMicroseconds } from '../cpu-time.ts';
import { publishedReadings } from './readings.ts';

const READINGS = 1_000_000;
const ROWS_PER_INSERT = 50_000;
const STORED = 'readings_stored';

export interface TablesSample {
  /** Bytes of each table, merged. */
  tables: Map<string, number>;
  /** CPU of ClickHouse, merges during the inserts included. */
  insertMicroseconds: number;
}

/** What a reading costs on tables that have the migrations up to this one. */
export async function measureTables(engines: StartedEngines, upTo: number): Promise<TablesSample> {
  const database = `bench_bytes_${upTo}`;
  const login = { ...clickhouseLogin(engines.urls), request_timeout: 60_000 };
  const server = createClient(login);
  await server.command({ query: `CREATE DATABASE ${database}` });
  const client = createClient({ ...login, database });
  const cpu = () => cpuMicroseconds(engines.processes()['clickhouse']?.[0] ?? 0);
  try {
    const migrations = MIGRATIONS.filter(({ number }) => number <= upTo);
    await migrateTables(client, { migrations, log: () => undefined });
    const before = await cpu();
    for (const lines of inserts()) {
      const answer = await client.exec({
        query: `INSERT INTO ${STORED} FORMAT JSONEachRow`,
        values: Readable.from([lines], { objectMode: false }),
        clickhouse_settings: { date_time_input_format: 'best_effort', precise_float_parsing: 1 },
      });
      answer.stream.resume();
      await finished(answer.stream);
    }
    const insertMicroseconds = ((await cpu()) - before) / READINGS;
    const parts = async (): Promise<{ table: string; bytes: string }[]> => {
      const answer = await client.query({
        query: `SELECT table, sum(bytes_on_disk) AS bytes FROM system.parts WHERE active AND database = currentDatabase() GROUP BY table ORDER BY bytes DESC`,
        format: 'JSONEachRow',
      });
      return answer.json();
    };
    for (const { table } of await parts()) await client.command({ query: `OPTIMIZE TABLE ${table} FINAL` });
    const tables = new Map((await parts()).map(({ table, bytes }) => [table, Number(bytes) / READINGS]));
    return { tables, insertMicroseconds };
  } finally {
    await client.close();
    await server.command({ query: `DROP DATABASE ${database}` });
    await server.close();
  }
}

function* inserts(): Generator<Buffer> {
  let lines: string[] = [];
  for (const { line } of publishedReadings(READINGS)) {
    lines.push(line);
    if (lines.length < ROWS_PER_INSERT) continue;
    yield Buffer.from(`${lines.join('\n')}\n`);
    lines = [];
  }
}
