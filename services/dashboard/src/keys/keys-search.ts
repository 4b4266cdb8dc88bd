import { present, readChoice, readText } from '../display/read-search.ts';
import type { Search } from '../display/read-search.ts';

export const KEY_STATES = ['active', 'expired', 'revoked'] as const;
const SORTS = ['createdAt', 'lastUsedAt', 'expiresAt', 'name'] as const;
const ORDERS = ['asc', 'desc'] as const;

export type KeySort = (typeof SORTS)[number];

export interface KeysSearch {
  /** Left out: active ones. */
  state?: (typeof KEY_STATES)[number];
  /** A part of the name, or the prefix of the key. */
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

/** The prefix of a key that lists show. */
const SHOWN_OF_A_KEY = /^cm_[0-9A-Za-z]{5}/;
/** A key within other text, such as a header or a settings file. The field may have truncated it. */
const KEY_WITHIN = /cm_[0-9A-Za-z]{20,}/;

/** Reduces a pasted key to its prefix: a secret must not get into the URL. */
export function withoutSecret(text: string | undefined): string | undefined {
  const [key] = KEY_WITHIN.exec(text ?? '') ?? [];
  const [shown] = SHOWN_OF_A_KEY.exec(key ?? text?.trim() ?? '') ?? [];
  return shown ?? text;
}
