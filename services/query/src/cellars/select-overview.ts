import type { RackLimit } from '../access/reader.ts';
import { rowsOf } from '../clickhouse/conditions.ts';
import type { Select } from '../clickhouse/select.ts';

export interface Overview {
  readingsLastMinute: number;
  readingsLastHour: number;
  racksLastHour: number;
  lastReadingAt: string | null;
}

export async function selectOverview(
  select: Select,
  { cellar, limit, now }: { cellar: string; limit: RackLimit; now: Date },
  signal: AbortSignal,
): Promise<Overview> {
  const { sql: where, params } = rowsOf(cellar, limit);
  const sql = `SELECT readingsLastMinute, readingsLastHour, racksLastHour, lastReadingAt
    FROM (
      SELECT countIf(received_at > {now: DateTime64(3, 'UTC')} - INTERVAL 1 MINUTE) AS readingsLastMinute,
        count() AS readingsLastHour, uniqExact(rack) AS racksLastHour
      FROM received_readings
      WHERE ${where} AND received_at > {now: DateTime64(3, 'UTC')} - INTERVAL 1 HOUR
    ) AS recent,
    (
      SELECT if(count() = 0, NULL, max(last_received_at)) AS lastReadingAt FROM latest_readings WHERE ${where}
    ) AS known`;
  const [row] = await select.rows<Overview>({ sql, params: { ...params, now }, maxRows: 1 }, signal);
  if (row === undefined) throw new Error('an aggregate without GROUP BY gave no row');
  return row;
}
