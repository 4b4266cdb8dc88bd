import { present, readText } from '../display/read-search.ts';
import type { Search } from '../display/read-search.ts';

export interface AlertsSearch {
  /** Of the history. */
  cursor?: string;
}

export function readAlertsSearch(search: Search): AlertsSearch {
  return present({ cursor: readText(search, 'cursor') });
}
