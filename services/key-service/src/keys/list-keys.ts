import { ApiError, cutPage, readCursor, writeCursor } from '@cellarman/http-api';
import type { Queryable } from '../postgres/database.ts';
import { keysFrom, LAST_USED, toKeyView } from './key-row.ts';
import type { KeyRow } from './key-row.ts';
import type { KeyState } from './key-schema.ts';

/** What a list can be sorted by, as SQL. None may be null, or rows would fall out between two pages. */
const SORTS = {
  createdAt: { value: 'api_keys.created_at', type: 'timestamptz' },
  lastUsedAt: { value: `coalesce(${LAST_USED}, '-infinity')`, type: 'timestamptz' },
  expiresAt: { value: `coalesce(api_keys.expires_at, 'infinity')`, type: 'timestamptz' },
  name: { value: `lower(api_keys.name) COLLATE "C"`, type: 'text' },
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

/** Without an index for its order, a list reads and sorts all keys of its cellar. */
const MOST_SORTED = 10_000;
/** A filter is applied to this many keys in one statement, and to more for this long. */
const FILTERED = 5_000;
const FILTER_MS = 1_000;

interface Position {
  sort_value: string;
  id: string;
}

/**
 * A page of the keys of a cellar. Rows with equal values follow their ids, so no row is on two pages or on none.
 *
 * With a filter a page may have fewer keys than its limit, even none, although another page follows.
 */
export async function listKeys(database: Queryable, cellar: string, list: ListKeys) {
  const { state, search, sort, order, limit } = list;
  const { value, type } = SORTS[sort];
  const isUnrevoked = state === 'active' || state === 'expired';
  if (sort === 'lastUsedAt' || (sort === 'expiresAt' && !isUnrevoked)) {
    await requireFewKeys(database, cellar, sort);
  }
  const [next, previous] = order === 'asc' ? (['>', '<='] as const) : (['<', '>='] as const);
  // As in the index `api_keys_active`.
  const rows = isUnrevoked ? '(SELECT * FROM api_keys WHERE revoked_at IS NULL)' : 'api_keys';
  const source = keysFrom(rows, value);

  const page = (after: Position | undefined, to: Position | undefined, rowLimit: number) =>
    database.query<KeyRow & { sort_value: string }>(
      `SELECT *, sort_value::text FROM ${source}
       WHERE cellar = $1 AND ($2::text IS NULL OR state = $2)
         AND ($3::text IS NULL OR position(lower($3) IN lower(name)) > 0 OR starts_with(display_prefix, $3))
         AND ($4::text IS NULL OR (sort_value, id) ${next} ($4::${type}, $5::uuid))
         AND ($6::text IS NULL OR (sort_value, id) ${previous} ($6::${type}, $7::uuid))
       ORDER BY keys.sort_value ${order}, id ${order}
       LIMIT $8`,
      [cellar, state, search, after?.sort_value, after?.id, to?.sort_value, to?.id, rowLimit],
    );
  /** The last of the keys that one statement filters; undefined: no more than these are left. */
  const boundary = async (after: Position | undefined): Promise<Position | undefined> => {
    const [row] = await database.query<Position & { sort_value: string }>(
      `SELECT sort_value::text, id FROM ${source}
       WHERE cellar = $1 AND ($2::text IS NULL OR (sort_value, id) ${next} ($2::${type}, $3::uuid))
       ORDER BY keys.sort_value ${order}, id ${order}
       OFFSET $4 LIMIT 1`,
      [cellar, after?.sort_value, after?.id, FILTERED - 1],
    );
    return row;
  };

  const isFiltered = state !== undefined || search !== undefined;
  const deadline = performance.now() + FILTER_MS;
  const found: (KeyRow & Position)[] = [];
  let after = readPosition(list);
  for (;;) {
    const to = isFiltered ? await boundary(after) : undefined;
    found.push(...(await page(after, to, limit + 1 - found.length)));
    if (found.length > limit || to === undefined) break;
    after = to;
    if (performance.now() < deadline) continue;
    return { keys: found.map(toKeyView), nextCursor: writeCursor([sort, to.sort_value, to.id]) };
  }
  const cut = cutPage(found, limit, (last) => [sort, last.sort_value, last.id]);
  return { keys: cut.page.map(toKeyView), nextCursor: cut.nextCursor };
}

function readPosition({ cursor, sort }: ListKeys): Position | undefined {
  if (cursor === undefined) return undefined;
  const [cursorSort, value = '', id = ''] = readCursor(cursor, 3);
  if (cursorSort === sort) return { sort_value: value, id };
  throw new ApiError('invalid_request', 'The cursor belongs to another sort order');
}

/** @throws {ApiError} `invalid_request` */
async function requireFewKeys(database: Queryable, cellar: string, sort: KeySort): Promise<void> {
  const rows = await database.query(`SELECT FROM api_keys WHERE cellar = $1 OFFSET $2 LIMIT 1`, [
    cellar,
    MOST_SORTED,
  ]);
  if (rows.length === 0) return;
  throw new ApiError(
    'invalid_request',
    sort === 'expiresAt'
      ? `Only active or expired keys can be sorted by expiresAt in a cellar with more than ${MOST_SORTED} keys`
      : `Keys cannot be sorted by ${sort} in a cellar with more than ${MOST_SORTED} keys`,
  );
}
