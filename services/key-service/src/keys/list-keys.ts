import { ApiError, cutPage, readCursor } from '@cellarman/http-api';
import type { Queryable } from '../postgres/database.ts';
import { KEYS, toKeyView } from './key-row.ts';
import type { KeyRow } from './key-row.ts';
import type { KeyState } from './key-schema.ts';

/** What a list can be sorted by, as SQL. None may be null, or rows would fall out between two pages. */
const SORTS = {
  createdAt: { value: 'created_at', type: 'timestamptz' },
  lastUsedAt: { value: `coalesce(last_used_at, '-infinity')`, type: 'timestamptz' },
  expiresAt: { value: `coalesce(expires_at, 'infinity')`, type: 'timestamptz' },
  name: { value: `lower(name) COLLATE "C"`, type: 'text' },
} as const;

export type KeySort = keyof typeof SORTS;
export const KEY_SORTS = Object.keys(SORTS) as KeySort[];

export interface ListKeys {
  /** Undefined: all. */
  state?: KeyState;
  /** A part of the name, or the beginning of the key. */
  search?: string;
  sort: KeySort;
  order: 'asc' | 'desc';
  limit: number;
  cursor?: string;
}

/** A page of the keys of a cellar. Rows with equal values follow their ids, so no row is on two pages or on none. */
export async function listKeys(database: Queryable, cellar: string, list: ListKeys) {
  const { state, search, sort, order, limit, cursor } = list;
  const { value, type } = SORTS[sort];
  const [afterSort, afterValue = null, afterId = null] =
    cursor === undefined ? [sort] : readCursor(cursor, 3);
  if (afterSort !== sort) throw new ApiError('invalid_request', 'The cursor belongs to another sort order');

  const rows = await database.query<KeyRow & { sort_value: string }>(
    `SELECT *, (${value})::text AS sort_value FROM ${KEYS}
       WHERE cellar = $1 AND ($2::text IS NULL OR state = $2)
         AND ($3::text IS NULL OR position(lower($3) IN lower(name)) > 0 OR starts_with(display_prefix, $3))
         AND ($4::text IS NULL OR (${value}, id) ${order === 'asc' ? '>' : '<'} ($4::${type}, $5::uuid))
       ORDER BY ${value} ${order}, id ${order}
       LIMIT $6`,
    [cellar, state ?? null, search ?? null, afterValue, afterId, limit + 1],
  );
  const { page, nextCursor } = cutPage(rows, limit, (last) => [sort, last.sort_value, last.id]);
  return { keys: page.map(toKeyView), nextCursor };
}
