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
  const sql = `WITH received_at > {now: DateTime64(3, 'UTC')} - INTERVAL 1 HOUR AS is_recent
    SELECT countIf(received_at > {now: DateTime64(3, 'UTC')} - INTERVAL 1 MINUTE) AS readingsLastMinute,
      countIf(is_recent) AS readingsLastHour,
      uniqExactIf(rack, is_recent) AS racksLastHour,
      if(count() = 0, NULL, max(received_at)) AS lastReadingAt
    FROM readings WHERE ${where}`;
  const [row] = await select.rows<Overview>({ sql, params: { ...params, now }, maxRows: 1 }, signal);
  if (row === undefined) throw new Error('an aggregate without GROUP BY gave no row');
  return row;
}
