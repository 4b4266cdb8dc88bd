import { cutPage, readCursor } from '@cellarman/http-api';
import type { RackLimit } from '../access/reader.ts';
import { rowsOf } from '../clickhouse/conditions.ts';
import type { Select } from '../clickhouse/select.ts';

export interface KegsQuery {
  cellar: string;
  limit: RackLimit;
  list: { search?: string; limit: number; cursor?: string };
}

export interface Keg {
  keg: string;
  racks: number;
  lastSeenAt: string;
}

export async function selectKegs(
  select: Select,
  { cellar, limit, list }: KegsQuery,
  signal: AbortSignal,
): Promise<{ kegs: Keg[]; nextCursor: string | null }> {
  const { sql: where, params } = rowsOf(cellar, limit);
  const { search } = list;
  const [after] = list.cursor === undefined ? [] : readCursor(list.cursor, 1);
  const wanted = [
    where,
    ...(search === undefined ? [] : ['positionCaseInsensitiveUTF8(keg, {search: String}) > 0']),
    ...(after === undefined ? [] : ['keg > {after: String}']),
  ].join(' AND ');
  // A series is a keg of a rack, so each row is another rack.
  const sql = `SELECT keg, count() AS racks, max(last_received_at) AS lastSeenAt
    FROM latest_readings WHERE ${wanted} GROUP BY keg
    ORDER BY keg LIMIT {limit: UInt32}`;
  const rows = await select.rows<Keg>(
    { sql, params: { ...params, search, after, limit: list.limit + 1 }, maxRows: list.limit + 1 },
    signal,
  );
  const { page, nextCursor } = cutPage(rows, list.limit, ({ keg }) => [keg]);
  return { kegs: page, nextCursor };
}
