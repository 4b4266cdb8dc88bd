import { Readable } from 'node:stream';
import { finished } from 'node:stream/promises';
import type { ClickHouseSettings } from '@clickhouse/client';
import type { ClickHouse } from '@cellarman/clickhouse';
import { COPIES } from '../tables.ts';

/**
 * What keeps the parser from changing a reading without a word. Each was measured with 26.7: without it null became 0,
 * true became 1, an unknown field was dropped, or one in a thousand decimals was off by one bit before that version.
 */
export const PARSER_SETTINGS: ClickHouseSettings = {
  precise_float_parsing: 1,
  input_format_skip_unknown_fields: 0,
  input_format_null_as_default: 0,
  input_format_json_read_bools_as_numbers: 0,
  // The only mode that reads nine digits of a fraction and the Z. What else it reads is rejected before.
  date_time_input_format: 'best_effort',
};

const INSERT_SETTINGS: ClickHouseSettings = {
  ...PARSER_SETTINGS,
  // The response must mean that the rows are in the table.
  async_insert: 0,
  wait_end_of_query: 1,
  // A reading of each of 120 months may stand in one batch. 252 then only means "too many parts, wait".
  max_partitions_per_insert_block: '0',
};

/** ClickHouse took the insert but wrote fewer rows than there were lines: its parser and ours disagree. */
export class RowCountMismatch extends Error {
  override name = 'RowCountMismatch';
}

/**
 * Inserts lines of JSON as they are, each ended by a line feed, and waits until they are in the table.
 *
 * @throws {ClickHouseError} as it comes from the server
 * @throws {RowCountMismatch} when fewer rows were written than lines were sent
 */
export async function insertLines(
  clickhouse: ClickHouse,
  insert: { table: string; lines: Buffer; rows: number; signal?: AbortSignal },
): Promise<void> {
  const { table, lines, rows, signal } = insert;
  const result = await clickhouse.exec({
    query: `INSERT INTO ${table} FORMAT JSONEachRow`,
    values: Readable.from([lines], { objectMode: false }),
    clickhouse_settings: INSERT_SETTINGS,
    ...(signal === undefined ? {} : { abort_signal: signal }),
  });
  // The connection is not free until the response is read.
  result.stream.resume();
  await finished(result.stream);
  const written = Number(result.summary?.written_rows);
  const expected = rows * (1 + (COPIES[table] ?? 0));
  // A foreign materialized view adds its own rows to the number, so it may be higher.
  if (!(written >= expected)) {
    throw new RowCountMismatch(
      `sent ${rows} rows to ${table}: ClickHouse says that it wrote ${written}, not ${expected}`,
    );
  }
}
