import { present, readText } from '../display/read-search.ts';
import type { Search } from '../display/read-search.ts';

export interface CellarsSearch {
  search?: string;
  archived?: boolean;
  cursor?: string;
}

export function readCellarsSearch(search: Search): CellarsSearch {
  return present({
    search: readText(search, 'search'),
    archived: search['archived'] === true ? true : undefined,
    cursor: readText(search, 'cursor'),
  });
}
