import { present, readText } from '../display/read-search.ts';
import type { Search } from '../display/read-search.ts';
import { readRangeSearch } from '../range/range-search.ts';
import type { RangeSearch } from '../range/range-search.ts';
import type { DataRangeName } from '../range/ranges.ts';

export const RACK_RANGE: DataRangeName = '1h';

export interface RackSearch extends RangeSearch {
  /** The keg whose readings are listed. Left out: the first one. */
  keg?: string;
}

export function readRackSearch(search: Search): RackSearch {
  return { ...present({ keg: readText(search, 'keg') }), ...readRangeSearch(search) };
}
