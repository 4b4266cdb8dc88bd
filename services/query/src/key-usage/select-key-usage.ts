import type { RackLimit } from '../access/reader.ts';
import { rowsOf } from '../clickhouse/conditions.ts';
import type { Select } from '../clickhouse/select.ts';
import { completeBuckets } from '../counts/buckets.ts';
import type { BucketRange, CountBucket } from '../counts/buckets.ts';

export interface KeyUsageQuery extends BucketRange {
  cellar: string;
  limit: RackLimit;
  keyId: string;
  /** Seconds. */
  step: number;
  now: Date;
}

export interface KeyUsage {
  buckets: CountBucket[];
  /** The racks with the most readings. */
  racks: { rack: string; readings: number; lastReceivedAt: string }[];
  /** All of them. */
  rackCount: number;
}

export const MAX_RACKS = 100;
const MAX_BUCKET_ROWS = 10_000;

/** Reads what a key sent in a range by time of receipt. A reading that several keys sent counts for the first of them. */
export async function selectKeyUsage(
  select: Select,
  { cellar, limit, keyId, from, to, step, now }: KeyUsageQuery,
  signal: AbortSignal,
): Promise<KeyUsage> {
  const { sql: where, params } = rowsOf(cellar, limit);
  const received = `FROM key_readings WHERE ${where} AND key_id = {keyId: String}
    AND received_at >= {from: DateTime64(3, 'UTC')} AND received_at < {to: DateTime64(3, 'UTC')}`;
  const given = { ...params, keyId, from, to };
  const [rows, racks] = await Promise.all([
    select.rows<{ at: string; readings: number }>(
      {
        sql: `SELECT toStartOfInterval(received_at, toIntervalSecond({step: UInt32})) AS at, count() AS readings
          ${received} GROUP BY at ORDER BY at`,
        params: { ...given, step },
        maxRows: MAX_BUCKET_ROWS,
      },
      signal,
    ),
    select.rows<KeyUsage['racks'][number] & { rackCount: number }>(
      {
        sql: `SELECT toString(rack) AS rack, count() AS readings, max(received_at) AS lastReceivedAt,
            count() OVER () AS rackCount
          ${received} GROUP BY rack ORDER BY readings DESC, rack LIMIT {limit: UInt32}`,
        params: { ...given, limit: MAX_RACKS },
        maxRows: MAX_RACKS,
      },
      signal,
    ),
  ]);
  return {
    buckets: completeBuckets(rows, { to, step, now }),
    racks: racks.map(({ rack, readings, lastReceivedAt }) => ({ rack, readings, lastReceivedAt })),
    rackCount: racks[0]?.rackCount ?? 0,
  };
}
