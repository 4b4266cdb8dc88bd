import { oneOf, searchOf, text } from '../display/read-search.ts';
import type { Search } from '../display/read-search.ts';

export const SILENCES = [
  { value: '300', label: '5 minutes' },
  { value: '900', label: '15 minutes' },
  { value: '3600', label: 'an hour' },
  { value: '86400', label: 'a day' },
  { value: '604800', label: 'a week' },
] as const;

/** The racks that the home page counts as silent, the latest first. */
export const SILENT_RACKS = { silent: '900', sort: 'lastSeenAt', order: 'desc' } as const;

const SORTS = ['rack', 'lastSeenAt', 'readingsLastHour'] as const;

export type RackSort = (typeof SORTS)[number];
export type RacksSearch = ReturnType<typeof readRacksSearch>;

export const readRacksSearch = searchOf({
  search: text,
  /** Only racks that have been silent for this many seconds. */
  silent: (search: Search, name) => SILENCES.find(({ value }) => value === text(search, name))?.value,
  /** Left out: by name. */
  sort: oneOf(...SORTS),
  order: oneOf('asc', 'desc'),
  cursor: text,
  /** In links to the earlier drawer, which redirect to the page of the rack. */
  rack: text,
});
