import type { RackLimit } from '../access/reader.ts';
import { rowsOf } from '../clickhouse/conditions.ts';
import type { Select } from '../clickhouse/select.ts';

export interface CountsQuery {
  cellar: string;
  limit: RackLimit;
  from: Date;
  to: Date;
  /** Seconds. */
  step: number;
  now: Date;
}

export interface CountBucket {
  at: string;
  readings: number;
  isComplete: boolean;
}

const MAX_ROWS = 10_000;
/** From the receipt of a reading until it can be queried: usually less than a second. */
const ARRIVAL_MS = 10_000;

export async function selectCounts(
  select: Select,
  { cellar, limit, from, to, step, now }: CountsQuery,
  signal: AbortSignal,
): Promise<CountBucket[]> {
  const { sql: where, params } = rowsOf(cellar, limit);
  const sql = `SELECT toStartOfInterval(received_at, toIntervalSecond({step: UInt32})) AS at, count() AS readings
    FROM received_readings
    WHERE ${where} AND received_at >= {from: DateTime64(3, 'UTC')} AND received_at < {to: DateTime64(3, 'UTC')}
    GROUP BY at ORDER BY at`;
  const rows = await select.rows<{ at: string; readings: number }>(
    { sql, params: { ...params, step, from, to }, maxRows: MAX_ROWS },
    signal,
  );
  return rows.map(({ at, readings }) => {
    const end = Date.parse(at) + step * 1_000;
    return { at, readings, isComplete: end <= to.getTime() && end + ARRIVAL_MS <= now.getTime() };
  });
}
