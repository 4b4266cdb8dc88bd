import { oneOf, searchOf, text } from '../display/read-search.ts';
import type { Search } from '../display/read-search.ts';
import { DATA_RANGE_NAMES } from './ranges.ts';

export type RangeSearch = ReturnType<typeof readRangeSearch>;

const readFields = searchOf({
  /** Left out: the default of the page. */
  range: oneOf(...DATA_RANGE_NAMES),
  /** Both, as ISO 8601: a range with fixed ends. */
  from: instant,
  to: instant,
  /** Left out: local time. */
  zone: oneOf('utc'),
  /** Left out: a range that ends now follows. */
  live: oneOf('off'),
});

export function readRangeSearch(search: Search) {
  const { from, to, ...rest } = readFields(search);
  return { ...rest, ...(from !== undefined && to !== undefined && from < to ? { from, to } : {}) };
}

/** Returns whether the end of the range is now, and moves on with new readings. */
export function follows({ from, live }: RangeSearch): boolean {
  return from === undefined && live !== 'off';
}

function instant(search: Search, name: string): string | undefined {
  const time = Date.parse(text(search, name) ?? '');
  return Number.isNaN(time) ? undefined : new Date(time).toISOString();
}
