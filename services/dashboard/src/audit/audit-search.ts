import { present, readText } from '../display/read-search.ts';
import type { Search } from '../display/read-search.ts';

export interface AuditSearch {
  cursor?: string;
}

export function readAuditSearch(search: Search): AuditSearch {
  return present({ cursor: readText(search, 'cursor') });
}
