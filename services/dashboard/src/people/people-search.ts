import { searchOf, text } from '../display/read-search.ts';

export const readPeopleSearch = searchOf({
  cursor: text,
  /** Cursor of the list of pending invitations. */
  invitations: text,
});
