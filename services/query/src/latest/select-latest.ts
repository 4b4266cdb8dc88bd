import { cutPage, readCursor } from '@cellarman/http-api';
import type { RackLimit } from '../access/reader.ts';
import { rowsOf } from '../clickhouse/conditions.ts';
import type { Select } from '../clickhouse/select.ts';

export interface LatestQuery {
  cellar: string;
  limit: RackLimit;
  list: { rack?: string; keg?: string; limit: number; cursor?: string };
}

export interface LatestValue {
  rack: string;
  keg: string;
  timestamp: string;
  value: number;
  receivedAt: string;
}

export async function selectLatest(
  select: Select,
  { cellar, limit, list }: LatestQuery,
  signal: AbortSignal,
): Promise<{ series: LatestValue[]; next: string | null }> {
  const { sql: where, params } = rowsOf(cellar, limit, list);
  const [afterRack, afterKeg] = list.cursor === undefined ? [] : readCursor(list.cursor, 2);
  const sql = `SELECT rack, keg, latest.1 AS timestamp, latest.2 AS value, latest.3 AS receivedAt
    FROM (
      SELECT rack, keg, max((timestamp, value, received_at)) AS latest
      FROM readings
      WHERE ${where} ${afterRack === undefined ? '' : 'AND (rack, keg) > ({afterRack: String}, {afterKeg: String})'}
      GROUP BY rack, keg ORDER BY rack, keg LIMIT {limit: UInt32}
    ) ORDER BY rack, keg`;
  const rows = await select.rows<LatestValue>(
    { sql, params: { ...params, afterRack, afterKeg, limit: list.limit + 1 }, maxRows: list.limit + 1 },
    signal,
  );
  const { page, next } = cutPage(rows, list.limit, ({ rack, keg }) => [rack, keg]);
  return { series: page, next };
}
