import type { ClickHouse } from '@cellarman/clickhouse';
import { RETENTION_DAYS } from '@cellarman/contracts';
import { TupleParam } from '@clickhouse/client';
import { withNanoseconds } from './reading-identity.ts';
import type { ReadingFields } from './reading-identity.ts';

const DAY_MS = 86_400_000;

/** Returns the rows of a table with the cellar, rack, keg and timestamp of these readings, whatever their values. */
export async function findRows(
  clickhouse: ClickHouse,
  table: string,
  readings: readonly ReadingFields[],
  { settings = {}, signal }: { settings?: Record<string, string | number>; signal?: AbortSignal } = {},
): Promise<ReadingFields[]> {
  const times = readings.map(({ timestamp }) => withNanoseconds(timestamp)).toSorted();
  // Compared as texts: a parameter cannot hold a DateTime64(9) within a tuple without losing digits. The other conditions
  // lead to the granules.
  const result = await clickhouse.query({
    query: `SELECT cellar, rack, keg, value, toString(timestamp) FROM ${table}
      WHERE (cellar, rack, keg) IN {series: Array(Tuple(String, String, String))}
        AND timestamp >= {first: DateTime64(9, 'UTC')} AND timestamp <= {last: DateTime64(9, 'UTC')}
        AND (cellar, rack, keg, toString(timestamp)) IN {points: Array(Tuple(String, String, String, String))}`,
    query_params: {
      series: readings.map(({ cellar, rack, keg }) => new TupleParam([cellar, rack, keg])),
      first: times[0],
      last: times.at(-1),
      points: readings.map(
        ({ cellar, rack, keg, timestamp }) => new TupleParam([cellar, rack, keg, withNanoseconds(timestamp)]),
      ),
    },
    format: 'JSONCompactEachRow',
    clickhouse_settings: settings,
    ...(signal === undefined ? {} : { abort_signal: signal }),
  });
  const rows = await result.json<[string, string, string, number, string]>();
  return rows.map(([cellar, rack, keg, value, timestamp]) => ({ cellar, rack, keg, value, timestamp }));
}

/**
 * Returns whether the views hide a reading, by the clock and the retention policy in ClickHouse.
 *
 * @param marginMs readings that expire within this time count as hidden too
 */
export async function readExpiry(
  clickhouse: ClickHouse,
  marginMs = 0,
): Promise<(reading: ReadingFields) => boolean> {
  const result = await clickhouse.query({
    query: `SELECT cellar, days, toString(toUnixTimestamp64Milli(now64(3))) FROM retention_policy FINAL`,
    format: 'JSONCompactEachRow',
  });
  const policy = await result.json<[string, number, string]>();
  const days = new Map(policy.map(([cellar, kept]) => [cellar, kept]));
  const now = Number(policy[0]?.[2] ?? Date.now());
  return ({ cellar, timestamp }) => {
    const kept = days.get(cellar) ?? days.get('') ?? RETENTION_DAYS.default;
    const instant = timestamp.endsWith('Z') ? timestamp : `${timestamp.replace(' ', 'T')}Z`;
    return Date.parse(instant) < now + marginMs - kept * DAY_MS;
  };
}
