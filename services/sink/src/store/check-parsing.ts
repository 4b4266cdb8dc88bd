import type { ClickHouse } from '@cellarman/clickhouse';
import { TABLES } from '../tables.ts';
import { PARSER_SETTINGS } from './insert-lines.ts';

/**
 * Numbers that parsers get wrong. ClickHouse before 26.7 stored 3.7758 and one in a thousand other decimals one bit off;
 * the others are limits of a double, halves between two doubles, and literals longer than a double is exact.
 */
const HARD_LITERALS = [
  '3.7758',
  '0.1',
  '-273.15',
  '21.483920482930128',
  '9007199254740993.0',
  '0.000000000000000000000000000000000001',
  '123456789012345680000',
  '1.7976931348623157e308',
  '2.2250738585072011e-308',
  '5e-324',
  '8.41245e21',
  '6631236846766.4761',
  '1.00000000000000011102230246251565404236316680908203125',
  '1.00000000000000011102230246251565404236316680908203126',
] as const;

/** Nine digits are kept, and nothing is shifted by a time zone. */
const TIMESTAMP = '2026-11-21T03:00:00.123456789Z';

export class ParsingChanged extends Error {
  override name = 'ParsingChanged';
}

/**
 * Lets ClickHouse parse hard numbers with the types of the stored table and the settings of an insert, and compares the
 * result bit by bit. Nothing is written and nothing is read back: behind a load balancer two statements may reach two
 * servers.
 *
 * @throws {ParsingChanged} with every difference: this server would silently change readings
 */
export async function checkParsing(clickhouse: ClickHouse): Promise<void> {
  const columns = await clickhouse.query({
    query: `SELECT name || ' ' || type AS declaration FROM system.columns
      WHERE database = currentDatabase() AND table = {table: String}`,
    query_params: { table: TABLES.stored },
    format: 'JSONEachRow',
  });
  const structure = (await columns.json<{ declaration: string }>()).map(({ declaration }) => declaration);
  const lines = HARD_LITERALS.map(
    (literal, index) =>
      `{"cellar":"probe","rack":"probe","keg":"${index}","value":${literal},` +
      `"timestamp":"${TIMESTAMP}","received_at":"2026-11-21T03:00:00.123Z","key_id":"probe"}`,
  );
  const result = await clickhouse.query({
    query: `SELECT toUInt32(keg) AS index, toString(reinterpretAsUInt64(toFloat64(value))) AS bits,
      toString(timestamp) AS timestamp, toString(received_at) AS received_at
      FROM format(JSONEachRow, $$${structure.join(', ')}$$, $$${lines.join('\n')}$$) ORDER BY index`,
    format: 'JSONEachRow',
    clickhouse_settings: PARSER_SETTINGS,
  });
  const stored = await result.json<{ index: number; bits: string; timestamp: string; received_at: string }>();
  const differences = HARD_LITERALS.flatMap((literal, index) => {
    const row = stored[index];
    if (row === undefined) return [`${literal} was not parsed`];
    const problems = [];
    if (row.bits !== bitsOf(literal)) problems.push(`${literal} became ${valueOf(row.bits)}`);
    if (row.timestamp !== '2026-11-21 03:00:00.123456789')
      problems.push(`${TIMESTAMP} became ${row.timestamp}`);
    if (row.received_at !== '2026-11-21 03:00:00.123') problems.push(`received_at became ${row.received_at}`);
    return problems;
  });
  if (differences.length > 0) {
    throw new ParsingChanged(
      `this ClickHouse changes readings, the sink does not run with it: ${differences.join('; ')}`,
    );
  }
}

function bitsOf(literal: string): string {
  return new BigUint64Array(new Float64Array([Number(literal)]).buffer)[0]?.toString() ?? '';
}

function valueOf(bits: string): number {
  return new Float64Array(new BigUint64Array([BigInt(bits)]).buffer)[0] ?? Number.NaN;
}
