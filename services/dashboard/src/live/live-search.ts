import { searchOf, text } from '../display/read-search.ts';

export type LiveSearch = ReturnType<typeof readLiveSearch>;

export const readLiveSearch = searchOf({
  rack: text,
  /** Racks whose names start with this. */
  racks: text,
  keg: text,
});
