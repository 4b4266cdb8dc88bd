import { MOST_SERIES } from '../charts/series-colours.ts';
import { present, readText } from '../display/read-search.ts';
import type { Search } from '../display/read-search.ts';
import { readRangeSearch } from '../range/range-search.ts';
import type { RangeSearch } from '../range/range-search.ts';

export interface DataSearch extends RangeSearch {
  keg?: string;
  racks?: string[];
}

export function readDataSearch(search: Search): DataSearch {
  const chosen = present({ keg: readText(search, 'keg'), racks: readRacks(search) });
  return { ...chosen, ...readRangeSearch(search) };
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
