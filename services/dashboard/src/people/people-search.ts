import { present, readText } from '../display/read-search.ts';
import type { Search } from '../display/read-search.ts';

export interface PeopleSearch {
  cursor?: string;
  /** Cursor of the list of pending invitations. */
  invitations?: string;
}

export function readPeopleSearch(search: Search): PeopleSearch {
  return present({
    cursor: readText(search, 'cursor'),
    invitations: readText(search, 'invitations'),
  });
}
