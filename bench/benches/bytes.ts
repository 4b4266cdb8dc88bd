import { join } from 'node:path';
import { Readable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { CONTENT_TYPE, messageKey, SCHEMA_VERSION, TOPIC_HEADERS } from '@cellarman/contracts';
import { partitionOf } from '@cellarman/kafka';
import type { ProducerMessage } from '@cellarman/kafka';
import { clickhouseLogin, startEngines } from '@cellarman/local-stack';
import type { StartedEngines } from '@cellarman/local-stack';
import { createClient } from '@clickhouse/client';
import { encodeRecordBatch } from '../../libs/kafka/src/producer/record-batch.ts';
import { migrateTables } from '../../services/sink/src/migrate/migrate-tables.ts';
import type { Bench } from '../bench.ts';
import { withTemporaryDirectory } from '../harness/temporary-directory.ts';
import { round } from '../median.ts';
import { bytesOfSingles } from './bytes-of-singles.ts';
import { publishedReadings } from './published-readings.ts';

const PARTITIONS = 6;
const READINGS_IN_A_BATCH = 100;
const BATCHES = [1, 2, 8, 32, READINGS_IN_A_BATCH];
const READINGS = 1_000_000;
const ROWS_PER_INSERT = 50_000;
const LINGERS = [0, 5, 20];
const TABLES = ['readings_stored', 'readings_by_time', 'series_latest'];

export const bytes: Bench = {
  what: 'bytes of a reading in the topic and in ClickHouse',
  run: () =>
    withTemporaryDirectory(async (directory) => {
      const engines = await startEngines({ dataDir: join(directory, 'engines') });
      try {
        const tables = await bytesInTables(engines);
        const inClickHouse = round(tables.reduce((sum, table) => sum + table.bytes, 0));
        const inTopic = bytesInTopic();
        const singles = [];
        for (const lingerMs of LINGERS) {
          singles.push(await bytesOfSingles(engines.urls.kafkaBrokers, join(directory, 'engines'), lingerMs));
        }
        const note = `Readings of 5,000 racks, each with an API key of its own and 4 kegs, which it measures once a minute at the same millisecond; names and values of the simulator. In the topic: record batches of ${READINGS_IN_A_BATCH} with zstd. In ClickHouse: 1,000,000 readings, ${ROWS_PER_INSERT.toLocaleString('en')} at a time, after \`OPTIMIZE FINAL\`.`;
        const row = Object.fromEntries(tables.map(({ table, bytes: each }) => [table, round(each)]));
        return {
          tables: [
            {
              note,
              rows: [
                { topic: inTopic[READINGS_IN_A_BATCH] ?? Number.NaN, ...row, 'all tables': inClickHouse },
              ],
            },
            {
              note: 'Single readings in the topic with zstd, 5,000 a second, 6 partitions, one broker, by `PRODUCER_LINGER_MS`.',
              rows: singles,
            },
          ],
          figures: {
            'bytes/reading in the topic': inTopic[READINGS_IN_A_BATCH] ?? Number.NaN,
            ...Object.fromEntries(
              Object.entries(inTopic).map(([count, each]) => [
                `bytes/reading in record batches of ${count}`,
                each,
              ]),
            ),
            'bytes/single reading in the topic': singles[0]?.bytes ?? Number.NaN,
            'bytes/reading in ClickHouse': inClickHouse,
          },
        };
      } finally {
        await engines.stop();
      }
    }),
};

/** In record batches of one partition, as ingest writes them: bytes of a reading by the number in a batch. */
function bytesInTopic(): Record<number, number> {
  const headers = {
    [TOPIC_HEADERS.contentType]: CONTENT_TYPE,
    [TOPIC_HEADERS.schemaVersion]: SCHEMA_VERSION,
  };
  const messages: ProducerMessage[] = [];
  for (const { rack, line } of publishedReadings(READINGS_IN_A_BATCH * PARTITIONS * 2)) {
    const key = messageKey('demo', rack);
    if (partitionOf(key, PARTITIONS) === 0) messages.push({ key, value: Buffer.from(line), headers });
  }
  const bytes = (count: number) =>
    round(encodeRecordBatch(messages.slice(0, count), 0, 'zstd').length / count);
  return Object.fromEntries(BATCHES.map((count) => [count, bytes(count)]));
}

async function bytesInTables(engines: StartedEngines): Promise<{ table: string; bytes: number }[]> {
  const login = { ...clickhouseLogin(engines.urls), request_timeout: 60_000 };
  const server = createClient(login);
  await server.command({ query: 'CREATE DATABASE bench_bytes' });
  await server.close();
  const client = createClient({ ...login, database: 'bench_bytes' });
  try {
    await migrateTables(client, { log: () => undefined });
    for (const lines of inserts()) {
      const answer = await client.exec({
        query: 'INSERT INTO readings_stored FORMAT JSONEachRow',
        values: Readable.from([lines], { objectMode: false }),
        clickhouse_settings: { date_time_input_format: 'best_effort', precise_float_parsing: 1 },
      });
      answer.stream.resume();
      await finished(answer.stream);
    }
    for (const table of TABLES) await client.command({ query: `OPTIMIZE TABLE ${table} FINAL` });
    const parts = await client.query({
      query: `SELECT table, sum(bytes_on_disk) / ${READINGS} AS bytes FROM system.parts WHERE active AND database = currentDatabase() AND has({TABLES: Array(String)}, table) GROUP BY table ORDER BY bytes DESC`,
      query_params: { TABLES },
      format: 'JSONEachRow',
    });
    return await parts.json();
  } finally {
    await client.close();
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
