import { searchOf, text } from '../display/read-search.ts';
import type { Search } from '../display/read-search.ts';
import { readRangeSearch } from '../range/range-search.ts';
import type { DataRangeName } from '../range/ranges.ts';

export const RACK_RANGE: DataRangeName = '1h';

export type RackSearch = ReturnType<typeof readRackSearch>;

/** The keg whose readings are listed. Left out: the first one. */
const readKeg = searchOf({ keg: text });

export const readRackSearch = (search: Search) => ({ ...readKeg(search), ...readRangeSearch(search) });
