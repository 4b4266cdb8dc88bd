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
): Promise<{ series: LatestValue[]; nextCursor: string | null }> {
  const { sql: where, params } = rowsOf(cellar, limit, list);
  const [afterRack, afterKeg] = list.cursor === undefined ? [] : readCursor(list.cursor, 2);
  const after =
    afterRack === undefined
      ? ''
      : 'AND rack >= {afterRack: String} AND (rack, keg) > ({afterRack: String}, {afterKeg: String})';
  const sql = `SELECT rack, keg, timestamp, value, received_at AS receivedAt
    FROM latest_readings WHERE ${where} ${after}
    ORDER BY rack, keg LIMIT {limit: UInt32}`;
  const rows = await select.rows<LatestValue>(
    { sql, params: { ...params, afterRack, afterKeg, limit: list.limit + 1 }, maxRows: list.limit + 1 },
    signal,
  );
  const { page, nextCursor } = cutPage(rows, list.limit, ({ rack, keg }) => [rack, keg]);
  return { series: page, nextCursor };
}
