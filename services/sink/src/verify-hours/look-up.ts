import type { ClickHouse } from '@cellarman/clickhouse';
import { findRows, identityOf } from '@cellarman/verification';
import type { ReadingFields } from '@cellarman/verification';
import { TABLES } from '../tables.ts';

/** Each of them is queried by users, so a reading must be in each exactly once. */
const VIEWS = [TABLES.view, 'received_readings'] as const;
const LOOKUP_SIZE = 500;
const SETTINGS = { max_threads: 1, priority: '10' } as const;

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
  for (let first = 0; first < sorted.length; first += LOOKUP_SIZE) {
    const some = sorted.slice(first, first + LOOKUP_SIZE);
    for (const [index, view] of VIEWS.entries()) {
      for (const row of await findRows(clickhouse, view, some, { settings: SETTINGS, signal })) {
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

function compare(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}
