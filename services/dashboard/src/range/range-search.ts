import { present, readChoice, readText } from '../display/read-search.ts';
import type { Search } from '../display/read-search.ts';
import { DATA_RANGE_NAMES } from './ranges.ts';
import type { DataRangeName } from './ranges.ts';

export interface RangeSearch {
  /** Left out: the default of the page. */
  range?: DataRangeName;
  /** Both, as ISO 8601: a range with fixed ends. */
  from?: string;
  to?: string;
  /** Left out: local time. */
  zone?: 'utc';
  /** Left out: a range that ends now follows. */
  live?: 'off';
}

export function readRangeSearch(search: Search): RangeSearch {
  const [from, to] = [readInstant(search, 'from'), readInstant(search, 'to')];
  const isRange = from !== undefined && to !== undefined && from < to;
  return present({
    range: readChoice(search, 'range', DATA_RANGE_NAMES),
    ...(isRange ? { from, to } : {}),
    zone: readChoice(search, 'zone', ['utc'] as const),
    live: readChoice(search, 'live', ['off'] as const),
  });
}

/** Returns whether the end of the range is now, and moves on with new readings. */
export function follows({ from, live }: RangeSearch): boolean {
  return from === undefined && live !== 'off';
}

function readInstant(search: Search, name: string): string | undefined {
  const time = Date.parse(readText(search, name) ?? '');
  return Number.isNaN(time) ? undefined : new Date(time).toISOString();
}
