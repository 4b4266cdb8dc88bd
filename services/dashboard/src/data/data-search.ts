import { MOST_SERIES } from '../charts/series-colours.ts';
import { searchOf, text } from '../display/read-search.ts';
import type { Search } from '../display/read-search.ts';
import { readRangeSearch } from '../range/range-search.ts';

export type DataSearch = ReturnType<typeof readDataSearch>;

const readChosen = searchOf({ keg: text, racks: readRacks });

export const readDataSearch = (search: Search) => ({ ...readChosen(search), ...readRangeSearch(search) });

function readRacks({ racks }: Search): string[] | undefined {
  const given: unknown[] = Array.isArray(racks) ? racks : [racks];
  const names = given.flatMap((name) => {
    if (typeof name === 'number') return [String(name)];
    return typeof name === 'string' && name !== '' ? [name] : [];
  });
  // An empty list is a choice, too: nothing is added by itself.
  return racks === undefined ? undefined : [...new Set(names)].slice(0, MOST_SERIES);
}
