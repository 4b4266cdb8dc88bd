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
  const sql = `SELECT cellar, countIf(received_at > {now: DateTime64(3, 'UTC')} - INTERVAL 1 HOUR) AS readingsLastHour,
      max(received_at) AS lastReadingAt
    FROM readings
    WHERE ${cellars === null ? '1' : 'cellar IN {cellars: Array(String)}'}
    GROUP BY cellar ORDER BY cellar LIMIT ${MAX_CELLARS}`;
  const params = { now, ...(cellars === null ? {} : { cellars }) };
  return select.rows<CellarActivity>({ sql, params, maxRows: MAX_CELLARS }, signal);
}
