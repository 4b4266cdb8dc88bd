import type { ClickHouse } from '@cellarman/clickhouse';
import { IDENTITY_SQL } from '@cellarman/verification';
import { TABLES } from '../tables.ts';
import { BUCKET_MS } from './hour.ts';
import type { Hour } from './hour.ts';

/**
 * Where the rows of an hour are found by their time of receipt. The first is what counts and recent readings are queried
 * from. The second is what the view `readings` reads: without FINAL, because with it ClickHouse would read the whole table.
 */
export const SOURCES = ['received_readings', TABLES.stored] as const;
export type Source = (typeof SOURCES)[number];

export interface StoredTally {
  rows: number;
  xor: string;
}

export interface StoredTallies {
  of(source: Source, bucket: number): StoredTally;
  /** Differs when a row of the hour was added, removed or altered. */
  digest: string;
}

/** Background work: queries and inserts go first. */
export const SETTINGS = {
  max_threads: 1,
  priority: '10',
  output_format_json_quote_64bit_integers: 0,
} as const;

export const IN_HOUR =
  'received_at >= fromUnixTimestamp64Milli({from: Int64}) AND received_at < fromUnixTimestamp64Milli({to: Int64})';
export const BUCKET = `intDiv(toUnixTimestamp64Milli(received_at) - {from: Int64}, ${BUCKET_MS})`;
const NOTHING: StoredTally = { rows: 0, xor: '0' };
/** Cheaper than an identity, and only compared with itself. */
const ROW_HASH = 'cityHash64(cellar, rack, keg, timestamp, value)';

/** Counts of the rows of each bucket, and the exclusive or of their identities. */
export async function readStoredTallies(
  clickhouse: ClickHouse,
  hour: Hour,
  signal: AbortSignal,
): Promise<StoredTallies> {
  const tallies = new Map<string, StoredTally>();
  const digests: string[] = [];
  for (const source of SOURCES) {
    const rows = await select<{ bucket: number; rows: number; xor: string; hash: string }>(
      clickhouse,
      `SELECT ${BUCKET} AS bucket, count() AS rows, toString(groupBitXor(reinterpretAsUInt64(${IDENTITY_SQL}))) AS xor,
        toString(groupBitXor(${ROW_HASH})) AS hash
      FROM ${source} WHERE ${IN_HOUR} GROUP BY bucket`,
      { ...hour },
      signal,
    );
    let [count, hash] = [0, 0n];
    for (const tally of rows) {
      tallies.set(`${source} ${tally.bucket}`, tally);
      count += tally.rows;
      hash ^= BigInt(tally.hash);
    }
    digests.push(`${count}:${hash}`);
  }
  return { of: (source, bucket) => tallies.get(`${source} ${bucket}`) ?? NOTHING, digest: digests.join(' ') };
}

/** The digest alone. */
export async function readDigest(clickhouse: ClickHouse, hour: Hour, signal: AbortSignal): Promise<string> {
  const digests: string[] = [];
  for (const source of SOURCES) {
    const [row] = await select<{ rows: number; hash: string }>(
      clickhouse,
      `SELECT count() AS rows, toString(groupBitXor(${ROW_HASH})) AS hash FROM ${source} WHERE ${IN_HOUR}`,
      { ...hour },
      signal,
    );
    digests.push(`${row?.rows ?? 0}:${row?.hash ?? 0}`);
  }
  return digests.join(' ');
}

async function select<Row>(
  clickhouse: ClickHouse,
  query: string,
  params: Record<string, unknown>,
  signal: AbortSignal,
): Promise<Row[]> {
  const result = await clickhouse.query({
    query,
    query_params: params,
    format: 'JSONEachRow',
    clickhouse_settings: SETTINGS,
    abort_signal: signal,
  });
  return result.json<Row>();
}
