import { present, readChoice, readText } from '../display/read-search.ts';
import type { Search } from '../display/read-search.ts';

export const KEY_STATES = ['active', 'expired', 'revoked'] as const;
const SORTS = ['createdAt', 'lastUsedAt', 'expiresAt', 'name'] as const;
const ORDERS = ['asc', 'desc'] as const;

export type KeySort = (typeof SORTS)[number];

export interface KeysSearch {
  /** Left out: active ones. */
  state?: (typeof KEY_STATES)[number];
  /** A part of the name, or the beginning of the key. */
  search?: string;
  /** Left out: by the date of creation. */
  sort?: KeySort;
  /** Left out: descending. */
  order?: (typeof ORDERS)[number];
  cursor?: string;
}

export function readKeysSearch(search: Search): KeysSearch {
  return present({
    state: readChoice(search, 'state', KEY_STATES),
    search: withoutSecret(readText(search, 'search')),
    sort: readChoice(search, 'sort', SORTS),
    order: readChoice(search, 'order', ORDERS),
    cursor: readText(search, 'cursor'),
  });
}

/** As long as the beginning of a key that lists show. */
const SHOWN_OF_A_KEY = /^cm_[0-9A-Za-z]{5}/;
/** Whatever stands around it, as in a header or a file of settings. The field may have cut off its end. */
const KEY_WITHIN = /cm_[0-9A-Za-z]{20,}/;

/** Somebody may paste a whole key to see which one it is. It must not get into the address. */
export function withoutSecret(text: string | undefined): string | undefined {
  const [key] = KEY_WITHIN.exec(text ?? '') ?? [];
  const [shown] = SHOWN_OF_A_KEY.exec(key ?? text?.trim() ?? '') ?? [];
  return shown ?? text;
}
