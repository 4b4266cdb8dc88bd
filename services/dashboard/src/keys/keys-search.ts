import { oneOf, searchOf, text } from '../display/read-search.ts';

export const KEY_STATES = ['active', 'expired', 'revoked'] as const;
const SORTS = ['createdAt', 'lastUsedAt', 'expiresAt', 'name'] as const;

export type KeySort = (typeof SORTS)[number];
export type KeysSearch = ReturnType<typeof readKeysSearch>;

export const readKeysSearch = searchOf({
  /** Left out: active ones. */
  state: oneOf(...KEY_STATES),
  /** A part of the name, or the prefix of the key. */
  search: (search, name) => withoutSecret(text(search, name)),
  /** Left out: by the date of creation. */
  sort: oneOf(...SORTS),
  /** Left out: descending. */
  order: oneOf('asc', 'desc'),
  cursor: text,
});

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
