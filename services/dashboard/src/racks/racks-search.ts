import { present, readChoice, readText } from '../display/read-search.ts';
import type { Search } from '../display/read-search.ts';

export const SILENCES = [
  { value: '300', label: '5 minutes' },
  { value: '3600', label: 'an hour' },
  { value: '86400', label: 'a day' },
  { value: '604800', label: 'a week' },
] as const;

const SORTS = ['rack', 'lastSeenAt', 'readingsLastHour'] as const;
const ORDERS = ['asc', 'desc'] as const;

export type RackSort = (typeof SORTS)[number];

export interface RacksSearch {
  search?: string;
  /** Only racks that have been silent for this many seconds. */
  silent?: (typeof SILENCES)[number]['value'];
  /** Left out: by name. */
  sort?: RackSort;
  order?: (typeof ORDERS)[number];
  cursor?: string;
  /** In links to the earlier drawer, which redirect to the page of the rack. */
  rack?: string;
}

export function readRacksSearch(search: Search): RacksSearch {
  const silent = readText(search, 'silent');
  return present({
    search: readText(search, 'search'),
    silent: SILENCES.find(({ value }) => value === silent)?.value,
    sort: readChoice(search, 'sort', SORTS),
    order: readChoice(search, 'order', ORDERS),
    cursor: readText(search, 'cursor'),
    rack: readText(search, 'rack'),
  });
}
