import type { RackLimit } from '../access/reader.ts';
import { rowsOf } from '../clickhouse/conditions.ts';
import type { Select } from '../clickhouse/select.ts';
import { withinRange } from '../time/range.ts';
import type { TimeRange } from '../time/range.ts';

export interface RackQuery {
  cellar: string;
  limit: RackLimit;
  rack: string;
}

export interface RackStatus {
  kegs: number;
  /** null: none of its readings is stored. */
  lastSeenAt: string | null;
  previous: string | null;
  next: string | null;
}

/** No rack has an empty name, so an empty one stands for none. */
export async function selectRack(
  select: Select,
  { cellar, limit, rack }: RackQuery,
  signal: AbortSignal,
): Promise<RackStatus> {
  const { sql: where, params } = rowsOf(cellar, limit);
  const sql = `SELECT countIf(rack = {rack: String}) AS kegs,
      if(kegs = 0, NULL, maxIf(last_received_at, rack = {rack: String})) AS lastSeenAt,
      nullIf(maxIf(rack, rack < {rack: String}), '') AS previous,
      nullIf(minIf(rack, rack > {rack: String}), '') AS next
    FROM latest_readings WHERE ${where}`;
  const [found] = await select.rows<RackStatus>({ sql, params: { ...params, rack }, maxRows: 1 }, signal);
  if (found === undefined) throw new Error('an aggregate without groups has one row');
  return found;
}

export const MAX_KEYS = 50;

export interface RackKey {
  keyId: string;
  readings: number;
  lastReceivedAt: string;
}

/** The API keys that sent the readings of a range, most recent first. */
export async function selectRackKeys(
  select: Select,
  { cellar, limit, rack, range }: RackQuery & { range: TimeRange },
  signal: AbortSignal,
): Promise<RackKey[]> {
  const { sql: where, params } = rowsOf(cellar, limit, { rack });
  const sql = `SELECT key_id AS keyId, count() AS readings, max(received_at) AS lastReceivedAt
    FROM readings WHERE ${where} AND ${withinRange(range)}
    GROUP BY key_id ORDER BY lastReceivedAt DESC, keyId LIMIT ${MAX_KEYS}`;
  return select.rows<RackKey>({ sql, params: { ...params, ...range }, maxRows: MAX_KEYS }, signal);
}
