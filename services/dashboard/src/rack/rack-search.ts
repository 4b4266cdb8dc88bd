import { present, readChoice, readText } from '../display/read-search.ts';
import type { Search } from '../display/read-search.ts';
import { RANGE_NAMES } from '../overview/ranges.ts';
import type { RangeName } from '../overview/ranges.ts';

export interface RackSearch {
  /** Left out: the last hour. */
  range?: RangeName;
  /** A part of the past instead, in milliseconds since 1970. */
  from?: number;
  to?: number;
  /** The keg whose readings are listed. Left out: the first one. */
  keg?: string;
}

export function readRackSearch(search: Search): RackSearch {
  const [from, to] = [readInstant(search, 'from'), readInstant(search, 'to')];
  return present({
    range: readChoice(search, 'range', RANGE_NAMES),
    ...(from !== undefined && to !== undefined && from < to ? { from, to } : {}),
    keg: readText(search, 'keg'),
  });
}

/** The last instant that a Date can have. */
const LAST_INSTANT = 8.64e15;

function readInstant(search: Search, name: string): number | undefined {
  const value = search[name];
  return typeof value === 'number' && Number.isInteger(value) && Math.abs(value) <= LAST_INSTANT
    ? value
    : undefined;
}
