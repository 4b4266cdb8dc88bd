import { ApiError, cutPage, invalidCursor, readCursor } from '@cellarman/http-api';
import type { RackLimit } from '../access/reader.ts';
import { rowsOf } from '../clickhouse/conditions.ts';
import type { Select } from '../clickhouse/select.ts';
import { toClickHouse } from '../time/instant.ts';

export const RACK_SORTS = ['rack', 'lastSeenAt', 'readingsLastHour'] as const;
export type RackSort = (typeof RACK_SORTS)[number];

export interface RacksQuery {
  cellar: string;
  limit: RackLimit;
  now: Date;
  list: {
    search?: string;
    prefix?: string;
    keg?: string;
    silentForSeconds?: number;
    sort: RackSort;
    order: 'asc' | 'desc';
    limit: number;
    cursor?: string;
  };
}

export interface Rack {
  rack: string;
  lastSeenAt: string;
  readingsLastHour: number;
  kegs: number;
}

/** By each sort: the type of its parameter in the cursor. */
const TYPES = { rack: 'String', lastSeenAt: `DateTime64(3, 'UTC')`, readingsLastHour: 'UInt64' } as const;

export async function selectRacks(
  select: Select,
  { cellar, limit, now, list }: RacksQuery,
  signal: AbortSignal,
): Promise<{ racks: Rack[]; nextCursor: string | null }> {
  const { sort, order, search, prefix, keg, silentForSeconds } = list;
  const { sql: where, params } = rowsOf(cellar, limit, { keg });
  const after = list.cursor === undefined ? undefined : readPosition(list.cursor, sort, order);
  const wanted = [
    '1',
    ...(silentForSeconds === undefined
      ? []
      : [`lastSeenAt < {now: DateTime64(3, 'UTC')} - toIntervalSecond({silentForSeconds: UInt32})`]),
    ...(after === undefined
      ? []
      : [
          `(${sort}, rack) ${order === 'asc' ? '>' : '<'} ({afterValue: ${TYPES[sort]}}, {afterRack: String})`,
        ]),
  ].join(' AND ');
  const found = [
    where,
    ...(search === undefined ? [] : ['positionCaseInsensitiveUTF8(rack, {search: String}) > 0']),
    ...(prefix === undefined ? [] : ['startsWith(rack, {prefix: String})']),
  ].join(' AND ');
  const sql = `SELECT rack, lastSeenAt, readingsLastHour, kegs
    FROM (
      SELECT rack, max(last_received_at) AS lastSeenAt, count() AS kegs
      FROM latest_readings WHERE ${found} GROUP BY rack
    ) AS known
    LEFT JOIN (
      SELECT toString(rack) AS rack, count() AS readingsLastHour FROM received_readings
      WHERE ${found} AND received_at > {now: DateTime64(3, 'UTC')} - INTERVAL 1 HOUR GROUP BY rack
    ) AS recent USING (rack)
    WHERE ${wanted}
    ORDER BY ${sort} ${order}, rack ${order} LIMIT {limit: UInt32}`;
  const rows = await select.rows<Rack>(
    {
      sql,
      params: { ...params, ...after, now, search, prefix, silentForSeconds, limit: list.limit + 1 },
      maxRows: list.limit + 1,
    },
    signal,
  );
  const { page, nextCursor } = cutPage(rows, list.limit, (last) => [
    sort,
    order,
    String(last[sort]),
    last.rack,
  ]);
  return { racks: page, nextCursor };
}

function readPosition(cursor: string, sort: RackSort, order: string) {
  const [ofSort, ofOrder, value = '', afterRack = ''] = readCursor(cursor, 4);
  if (ofSort !== sort || ofOrder !== order) {
    throw new ApiError('invalid_request', 'The cursor belongs to a list with another sort or order');
  }
  if (sort === 'readingsLastHour' && !/^\d{1,18}$/.test(value)) {
    throw invalidCursor();
  }
  return { afterValue: sort === 'lastSeenAt' ? toClickHouse('cursor', value) : value, afterRack };
}
