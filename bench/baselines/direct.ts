/**
 * Baseline "direct": the lines of a file straight into ClickHouse, 50,000 rows at a time. The limit of the sink: no Kafka,
 * no check of the lines, nothing to commit. The settings of the insert are those of the sink, because they cost ClickHouse
 * time. Prints one line of JSON.
 *
 * `node bench/baselines/direct.ts TABLE FILE`, with the sink's variables for ClickHouse in the environment.
 */
import { readFile } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { createClient } from '@clickhouse/client';
import { clickhouseFromEnvironment } from './config.ts';

const [table = '', file = ''] = process.argv.slice(2);
const ROWS = 50_000;

const lines = await readFile(file);
const inserts: { lines: Buffer; rows: number }[] = [];
for (let start = 0; start < lines.length;) {
  let end = start;
  let rows = 0;
  for (; rows < ROWS && end < lines.length; rows++) end = lines.indexOf('\n', end) + 1;
  inserts.push({ lines: lines.subarray(start, end), rows });
  start = end;
}

const client = createClient(clickhouseFromEnvironment());
await client.ping();
const cpuBefore = process.cpuUsage();
const begun = performance.now();
for (const insert of inserts) {
  const answer = await client.exec({
    query: `INSERT INTO ${table} FORMAT JSONEachRow`,
    values: Readable.from([insert.lines], { objectMode: false }),
    clickhouse_settings: {
      precise_float_parsing: 1,
      input_format_skip_unknown_fields: 0,
      input_format_null_as_default: 0,
      input_format_json_read_bools_as_numbers: 0,
      date_time_input_format: 'best_effort',
      async_insert: 0,
      wait_end_of_query: 1,
      max_partitions_per_insert_block: '0',
    },
  });
  answer.stream.resume();
  await finished(answer.stream);
  // The views on the table write more.
  if (!(Number(answer.summary?.written_rows) >= insert.rows))
    throw new Error('ClickHouse did not write all rows');
}
const ms = performance.now() - begun;
const cpu = process.cpuUsage(cpuBefore);
await client.close();
const rows = inserts.reduce((sum, insert) => sum + insert.rows, 0);
process.stdout.write(`${JSON.stringify({ rows, ms, cpuMicroseconds: cpu.user + cpu.system })}\n`);
