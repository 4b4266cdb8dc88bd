import { present, readChoice } from '../display/read-search.ts';
import type { Search } from '../display/read-search.ts';
import { RANGE_NAMES } from './ranges.ts';
import type { RangeName } from './ranges.ts';

export interface OverviewSearch {
  /** Left out: the last hour. */
  range?: RangeName;
}

export function readOverviewSearch(search: Search): OverviewSearch {
  return present({ range: readChoice(search, 'range', RANGE_NAMES) });
}
