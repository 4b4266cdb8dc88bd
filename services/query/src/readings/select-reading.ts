import type { RackLimit } from '../access/reader.ts';
import { rowsOf } from '../clickhouse/conditions.ts';
import type { Select } from '../clickhouse/select.ts';
import { toClickHouse } from '../time/instant.ts';

export interface ReadingQuery {
  cellar: string;
  limit: RackLimit;
  rack: string;
  keg: string;
  timestamp: string;
  value: number;
}

export interface StoredReading {
  rack: string;
  keg: string;
  timestamp: string;
  value: number;
  receivedAt: string;
  storedAt: string | null;
  keyId: string | null;
}

/** Finds the reading with this identity, or undefined. The primary key leads to one granule. */
export async function selectReading(
  select: Select,
  { cellar, limit, rack, keg, timestamp, value }: ReadingQuery,
  signal: AbortSignal,
): Promise<StoredReading | undefined> {
  const rows = rowsOf(cellar, limit, { rack, keg });
  const where = `${rows.sql} AND timestamp = {timestamp: DateTime64(9, 'UTC')} AND value = {value: Float64}`;
  // The view hides what is expired; the key is in its table only. Rows of earlier versions have neither time nor key.
  const sql = `SELECT rack, keg, timestamp, value, received_at AS receivedAt,
      nullIf(stored_at, toDateTime64(0, 9, 'UTC')) AS storedAt,
      (SELECT nullIf(any(toString(key_id)), '') FROM readings_by_time FINAL WHERE ${where}) AS keyId
    FROM arrived_readings WHERE ${where}`;
  const params = { ...rows.params, timestamp: toClickHouse('timestamp', timestamp), value };
  const [found] = await select.rows<StoredReading>({ sql, params, maxRows: 1 }, signal);
  return found;
}
