import { present, readChoice, readText } from '../display/read-search.ts';
import type { Search } from '../display/read-search.ts';

export const KEY_STATES = ['active', 'expired', 'revoked'] as const;
const SORTS = ['createdAt', 'lastUsedAt', 'expiresAt', 'name'] as const;
const ORDERS = ['asc', 'desc'] as const;

export type KeySort = (typeof SORTS)[number];

export interface KeysSearch {
  /** Left out: active ones. */
  state?: (typeof KEY_STATES)[number];
  /** Left out: by the date of creation. */
  sort?: KeySort;
  /** Left out: descending. */
  order?: (typeof ORDERS)[number];
  cursor?: string;
}

export function readKeysSearch(search: Search): KeysSearch {
  return present({
    state: readChoice(search, 'state', KEY_STATES),
    sort: readChoice(search, 'sort', SORTS),
    order: readChoice(search, 'order', ORDERS),
    cursor: readText(search, 'cursor'),
  });
}
