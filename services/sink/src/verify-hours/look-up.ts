import type { ClickHouse } from '@cellarman/clickhouse';
import { RETENTION_DAYS } from '@cellarman/contracts';
import { identityOf, withNanoseconds } from '@cellarman/verification';
import type { ReadingFields } from '@cellarman/verification';
import { TupleParam } from '@clickhouse/client';
import { TABLES } from '../tables.ts';

/** Each of them is queried by users, so a reading must be in each exactly once. */
const VIEWS = [TABLES.view, 'received_readings'] as const;
const LOOK_UP_SIZE = 500;
const SETTINGS = { max_threads: 1, priority: '10' } as const;
/** A reading that expires soon may be hidden before it is looked up. */
const EXPIRY_MARGIN_MS = 600_000;
const DAY_MS = 86_400_000;

export type Key = string;

/** The identity as a key of a Map. */
export function keyOf(reading: ReadingFields): Key {
  return identityOf(reading).toString('latin1');
}

/** Finds out in how many rows readings are in each view: the least and the most of both. */
export async function lookUp(
  clickhouse: ClickHouse,
  readings: readonly ReadingFields[],
  signal: AbortSignal,
): Promise<(reading: ReadingFields) => { least: number; most: number }> {
  const sorted = readings.toSorted((a, b) => compare(a.cellar, b.cellar) || compare(a.rack, b.rack));
  const found = VIEWS.map(() => new Map<Key, number>());
  for (let first = 0; first < sorted.length; first += LOOK_UP_SIZE) {
    const places = sorted.slice(first, first + LOOK_UP_SIZE);
    for (const [index, view] of VIEWS.entries()) {
      for (const row of await rowsAt(clickhouse, view, places, signal)) {
        const key = keyOf(row);
        found[index]?.set(key, (found[index].get(key) ?? 0) + 1);
      }
    }
  }
  return (reading) => {
    const rows = found.map((view) => view.get(keyOf(reading)) ?? 0);
    return { least: Math.min(...rows), most: Math.max(...rows) };
  };
}

async function rowsAt(
  clickhouse: ClickHouse,
  view: string,
  places: readonly ReadingFields[],
  signal: AbortSignal,
): Promise<ReadingFields[]> {
  // Compared as texts: a parameter cannot hold a DateTime64(9) within a tuple without losing digits. The other conditions
  // lead to the granules.
  const result = await clickhouse.query({
    query: `SELECT cellar, rack, keg, value, toString(timestamp) FROM ${view}
      WHERE (cellar, rack, keg) IN {series: Array(Tuple(String, String, String))}
        AND timestamp >= {first: DateTime64(9, 'UTC')} AND timestamp <= {last: DateTime64(9, 'UTC')}
        AND (cellar, rack, keg, toString(timestamp)) IN {places: Array(Tuple(String, String, String, String))}`,
    query_params: {
      series: places.map(({ cellar, rack, keg }) => new TupleParam([cellar, rack, keg])),
      first: places.map(timeOf).reduce((a, b) => (a < b ? a : b)),
      last: places.map(timeOf).reduce((a, b) => (a > b ? a : b)),
      places: places.map((place) => new TupleParam([place.cellar, place.rack, place.keg, timeOf(place)])),
    },
    format: 'JSONCompactEachRow',
    clickhouse_settings: SETTINGS,
    abort_signal: signal,
  });
  const rows = await result.json<[string, string, string, number, string]>();
  return rows.map(([cellar, rack, keg, value, timestamp]) => ({ cellar, rack, keg, value, timestamp }));
}

/** Finds out which readings the views hide or may hide soon, by the clock and the retention policy in ClickHouse. */
export async function readExpiry(clickhouse: ClickHouse): Promise<(reading: ReadingFields) => boolean> {
  const result = await clickhouse.query({
    query: `SELECT cellar, days, toString(toUnixTimestamp64Milli(now64(3))) FROM ${TABLES.retention} FINAL`,
    format: 'JSONCompactEachRow',
  });
  const policy = await result.json<[string, number, string]>();
  const days = new Map(policy.map(([cellar, kept]) => [cellar, kept]));
  const now = Number(policy[0]?.[2] ?? Date.now());
  return ({ cellar, timestamp }) => {
    const kept = days.get(cellar) ?? days.get('') ?? RETENTION_DAYS.default;
    return Date.parse(asInstant(timestamp)) < now + EXPIRY_MARGIN_MS - kept * DAY_MS;
  };
}

function asInstant(timestamp: string): string {
  return timestamp.endsWith('Z') ? timestamp : `${timestamp.replace(' ', 'T')}Z`;
}

function timeOf({ timestamp }: ReadingFields): string {
  return withNanoseconds(timestamp);
}

function compare(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}
