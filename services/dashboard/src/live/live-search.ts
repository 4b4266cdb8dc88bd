import { present, readText } from '../display/read-search.ts';
import type { Search } from '../display/read-search.ts';

export interface LiveSearch {
  rack?: string;
  /** Racks whose names start with this. */
  racks?: string;
  keg?: string;
}

export function readLiveSearch(search: Search): LiveSearch {
  return present({
    rack: readText(search, 'rack'),
    racks: readText(search, 'racks'),
    keg: readText(search, 'keg'),
  });
}
