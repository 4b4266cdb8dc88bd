import { randomUUID } from 'node:crypto';
import type { ClickHouse } from './clickhouse.ts';
import { TABLES } from './clickhouse.ts';
import { insertLines } from './insert-lines.ts';

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
 * Inserts hard numbers the way readings are inserted, and compares what is stored bit by bit.
 *
 * @throws {ParsingChanged} with every difference: this server would change readings without a word
 */
export async function checkParsing(clickhouse: ClickHouse): Promise<void> {
  const probe = `probe-${randomUUID()}`;
  const lines = HARD_LITERALS.map(
    (literal, index) =>
      `{"cellar":"${probe}","rack":"probe","keg":"${index}","value":${literal},` +
      `"timestamp":"${TIMESTAMP}","received_at":"2026-11-21T03:00:00.123Z","key_id":"probe"}\n`,
  );
  await insertLines(clickhouse, {
    table: TABLES.probe,
    lines: Buffer.from(lines.join('')),
    rows: lines.length,
  });
  const answer = await clickhouse.query({
    query: `SELECT toUInt32(keg) AS index, toString(reinterpretAsUInt64(value)) AS bits, toString(timestamp) AS timestamp,
      toString(received_at) AS received_at
      FROM ${TABLES.probe} WHERE cellar = {probe: String} ORDER BY index`,
    query_params: { probe },
    format: 'JSONEachRow',
  });
  const stored = await answer.json<{ index: number; bits: string; timestamp: string; received_at: string }>();
  const differences = HARD_LITERALS.flatMap((literal, index) => {
    const row = stored[index];
    if (row === undefined) return [`${literal} was not stored`];
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
