import type { ClickHouse } from '@cellarman/clickhouse';
import type { ReadingFields } from '@cellarman/verification';
import { IN_PART } from './bucket-groups.ts';
import type { BucketGroup } from './bucket-groups.ts';
import type { Hour } from './hour.ts';
import { BUCKET, IN_HOUR, SETTINGS } from './stored-tallies.ts';
import type { Source } from './stored-tallies.ts';

/** The rows of a group. */
export async function* readRows(
  clickhouse: ClickHouse,
  source: Source,
  { hour, group, signal }: { hour: Hour; group: BucketGroup; signal: AbortSignal },
): AsyncGenerator<ReadingFields, void, undefined> {
  const result = await clickhouse.query({
    query: `SELECT cellar, rack, keg, value, toString(timestamp) FROM ${source}
      WHERE ${IN_HOUR} AND has({buckets: Array(Int64)}, ${BUCKET}) AND ${IN_PART}`,
    query_params: { ...hour, ...group },
    format: 'JSONCompactEachRow',
    clickhouse_settings: SETTINGS,
    abort_signal: signal,
  });
  for await (const chunk of result.stream<[string, string, string, number, string]>()) {
    for (const row of chunk) {
      const [cellar, rack, keg, value, timestamp] = row.json();
      yield { cellar, rack, keg, value, timestamp };
    }
  }
}
