import { MOST_SERIES } from '../charts/series-colours.ts';
import { present, readChoice, readText } from '../display/read-search.ts';
import type { Search } from '../display/read-search.ts';
import { DATA_RANGE_NAMES } from './ranges.ts';
import type { DataRangeName } from './ranges.ts';

export interface DataSearch {
  keg?: string;
  racks?: string[];
  /** Left out: 24 hours. */
  range?: DataRangeName;
  /** Both, as ISO 8601: a range with fixed ends. */
  from?: string;
  to?: string;
  /** Left out: local time. */
  zone?: 'utc';
  /** Left out: a range that ends now follows. */
  live?: 'off';
}

export function readDataSearch(search: Search): DataSearch {
  const [from, to] = [readInstant(search, 'from'), readInstant(search, 'to')];
  const isRange = from !== undefined && to !== undefined && from < to;
  return present({
    keg: readText(search, 'keg'),
    racks: readRacks(search),
    range: readChoice(search, 'range', DATA_RANGE_NAMES),
    ...(isRange ? { from, to } : {}),
    zone: readChoice(search, 'zone', ['utc'] as const),
    live: readChoice(search, 'live', ['off'] as const),
  });
}

function readRacks({ racks }: Search): string[] | undefined {
  const given: unknown[] = Array.isArray(racks) ? racks : [racks];
  const names = given.flatMap((name) => {
    if (typeof name === 'number') return [String(name)];
    return typeof name === 'string' && name !== '' ? [name] : [];
  });
  // An empty list is a choice, too: nothing is added by itself.
  return racks === undefined ? undefined : [...new Set(names)].slice(0, MOST_SERIES);
}

function readInstant(search: Search, name: string): string | undefined {
  const time = Date.parse(readText(search, name) ?? '');
  return Number.isNaN(time) ? undefined : new Date(time).toISOString();
}
