import type { RackLimit } from '../access/reader.ts';
import { rowsOf } from '../clickhouse/conditions.ts';
import type { Select } from '../clickhouse/select.ts';
import { completeBuckets } from './buckets.ts';
import type { BucketRange, CountBucket } from './buckets.ts';

export interface CountsQuery extends BucketRange {
  cellar: string;
  limit: RackLimit;
  /** Seconds. */
  step: number;
  now: Date;
}

const MAX_ROWS = 10_000;

const FROM = "{from: DateTime64(3, 'UTC')}";
const TO = "{to: DateTime64(3, 'UTC')}";
const STEP = 'toIntervalSecond({step: UInt32})';

/** Reads the readings of a range, each at its first receipt. */
function received(where: string, from: string): string {
  return `SELECT toStartOfInterval(received_at, ${STEP}) AS at, count() AS readings FROM received_readings
    WHERE ${where} AND received_at >= ${from} AND received_at < ${TO}`;
}

/**
 * The sink has rolled up completed hours into counts per minute, for all racks together. Only the hours after the rollup, and a
 * minute that the range cuts, are counted from the readings.
 */
function withSettled(where: string): string {
  return `WITH least((SELECT max(until) FROM settled_until), toStartOfMinute(${TO})) AS settled
    SELECT at, sum(readings) AS readings FROM (
      SELECT toStartOfInterval(minute, ${STEP}) AS at, sum(readings) AS readings FROM settled_counts FINAL
      WHERE ${where} AND minute >= ${FROM} AND minute < settled GROUP BY at
      UNION ALL ${received(where, `greatest(${FROM}, settled)`)} GROUP BY at
    ) GROUP BY at ORDER BY at`;
}

export async function selectCounts(
  select: Select,
  { cellar, limit, from, to, step, now }: CountsQuery,
  signal: AbortSignal,
): Promise<CountBucket[]> {
  const { sql: where, params } = rowsOf(cellar, limit);
  const isWhole = limit.rack === null && limit.prefix === null;
  const sql = isWhole ? withSettled(where) : `${received(where, FROM)} GROUP BY at ORDER BY at`;
  const rows = await select.rows<{ at: string; readings: number }>(
    { sql, params: { ...params, step, from, to }, maxRows: MAX_ROWS },
    signal,
  );
  return completeBuckets(rows, { to, step, now });
}
