import type { RackLimit } from '../access/reader.ts';
import { rowsOf } from '../clickhouse/conditions.ts';
import type { Select } from '../clickhouse/select.ts';
import { withinRange } from '../time/range.ts';
import type { TimeRange } from '../time/range.ts';

export interface SeriesQuery {
  cellar: string;
  limit: RackLimit;
  rack: string;
  keg: string;
  range: TimeRange;
  stepMs: number;
  points: number;
}

export interface SeriesPoint {
  at: string;
  avg: number;
  min: number;
  max: number;
  last: number;
  count: number;
}

const NANOSECONDS = 1_000_000;

/** Without the function for it, which wraps around before 1970. */
const STEP_OF_READING = `fromUnixTimestamp64Nano(
    toUnixTimestamp64Nano(timestamp) - positiveModulo(toUnixTimestamp64Nano(timestamp), {step: Int64}), 'UTC')`;

/** The sum of great values can leave the range of a double, though their average never does. */
const AVERAGE = 'if(isFinite(avg(value)), avg(value), avg(value / 1e10) * 1e10)';

export function selectSeries(
  select: Select,
  { cellar, limit, rack, keg, range, stepMs, points }: SeriesQuery,
  signal: AbortSignal,
): Promise<SeriesPoint[]> {
  const { sql: where, params } = rowsOf(cellar, limit, { rack, keg });
  const sql = `SELECT ${STEP_OF_READING} AS at, ${AVERAGE} AS avg, min(value) AS min, max(value) AS max,
      argMax(value, (timestamp, value)) AS last, count() AS count
    FROM readings
    WHERE ${where} AND ${withinRange(range)}
    GROUP BY at ORDER BY at`;
  return select.rows<SeriesPoint>(
    { sql, params: { ...params, ...range, step: String(stepMs * NANOSECONDS) }, maxRows: points },
    signal,
  );
}
