import { present, readText } from '../display/read-search.ts';
import type { Search } from '../display/read-search.ts';

export interface AccountSearch {
  /** Of the list of sessions. */
  cursor?: string;
}

export function readAccountSearch(search: Search): AccountSearch {
  return present({ cursor: readText(search, 'cursor') });
}
