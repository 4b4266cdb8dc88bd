import { present, readText } from '../display/read-search.ts';
import type { Search } from '../display/read-search.ts';

export interface TokensSearch {
  cursor?: string;
}

export function readTokensSearch(search: Search): TokensSearch {
  return present({ cursor: readText(search, 'cursor') });
}
