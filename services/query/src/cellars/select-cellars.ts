import type { Select } from '../clickhouse/select.ts';

export interface CellarActivity {
  cellar: string;
  readingsLastHour: number;
  lastReadingAt: string;
}

const MAX_CELLARS = 10_000;

/** @param of null: all cellars */
export function selectCellars(
  select: Select,
  { cellars, now }: { cellars: readonly string[] | null; now: Date },
  signal: AbortSignal,
): Promise<CellarActivity[]> {
  const mine = cellars === null ? '1' : 'cellar IN {cellars: Array(String)}';
  const sql = `SELECT cellar, readingsLastHour, lastReadingAt
    FROM (
      SELECT cellar, max(last_received_at) AS lastReadingAt FROM latest_readings WHERE ${mine} GROUP BY cellar
    ) AS known
    LEFT JOIN (
      SELECT cellar, count() AS readingsLastHour FROM received_readings
      WHERE ${mine} AND received_at > {now: DateTime64(3, 'UTC')} - INTERVAL 1 HOUR GROUP BY cellar
    ) AS recent USING (cellar)
    ORDER BY cellar LIMIT ${MAX_CELLARS}`;
  const params = { now, ...(cellars === null ? {} : { cellars }) };
  return select.rows<CellarActivity>({ sql, params, maxRows: MAX_CELLARS }, signal);
}
