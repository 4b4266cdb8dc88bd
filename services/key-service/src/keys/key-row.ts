import { toView } from '../http/to-view.ts';
import { toRateLimit } from '../http/rate-limit-schema.ts';
import { ApiError } from '@cellarman/http-api';
import type { Queryable } from '../postgres/database.ts';
import { keyViewSchema } from './key-schema.ts';
import type { KeyState, KeyView } from './key-schema.ts';

/** A row of {@link KEYS}; the columns that only the view has are not named. */
export interface KeyRow {
  [column: string]: unknown;
  id: string;
  cellar: string;
  name: string;
  hash: string;
  state: KeyState;
  rate_per_second: number | null;
  rate_burst: number | null;
  expires_at: Date | null;
}

/** When a key was last used, as SQL. Uses before `key_uses` existed, and those of the previous version, are in `api_keys`. */
export const LAST_USED = 'greatest(api_keys.last_used_at, key_uses.at)';

/**
 * Keys with their states. Put into a FROM clause, it can be filtered by every column.
 *
 * Those of an archived cellar were revoked with it, if not before. Their rows do not say so, only that of the cellar.
 *
 * @param rows the rows of `api_keys`, as SQL
 * @param sortValue an expression of `api_keys` and `key_uses`
 */
export const keysFrom = (rows: string, sortValue: string): string => `(
  SELECT api_keys.id, api_keys.cellar, api_keys.name, encode(api_keys.hash, 'hex') AS hash,
         api_keys.display_prefix, api_keys.rack, api_keys.rack_prefix, api_keys.scopes,
         api_keys.rate_per_second, api_keys.rate_burst, api_keys.created_at, creator.email AS created_by,
         api_keys.expires_at, coalesce(api_keys.revoked_at, cellars.archived_at) AS revoked_at,
         revoker.email AS revoked_by, ${LAST_USED} AS last_used_at, api_keys.rotated_from,
         CASE WHEN claim_codes.id IS NOT NULL
              THEN jsonb_build_object('id', claim_codes.id, 'name', claim_codes.name) END AS claim_code,
         (SELECT successor.id FROM api_keys AS successor WHERE successor.rotated_from = api_keys.id
          ORDER BY successor.created_at DESC LIMIT 1) AS rotated_to,
         CASE WHEN coalesce(api_keys.revoked_at, cellars.archived_at) IS NOT NULL THEN 'revoked'
              WHEN api_keys.expires_at <= now() THEN 'expired'
              ELSE 'active' END AS state, ${sortValue} AS sort_value
  FROM ${rows} AS api_keys
  JOIN cellars ON cellars.name = api_keys.cellar
  LEFT JOIN key_uses ON key_uses.key_id = api_keys.id
  LEFT JOIN claim_codes ON claim_codes.id = api_keys.claim_code_id
  LEFT JOIN administrators AS creator ON creator.id = api_keys.created_by
  LEFT JOIN administrators AS revoker ON revoker.id =
    CASE WHEN api_keys.revoked_at IS NULL THEN cellars.archived_by ELSE api_keys.revoked_by END
) AS keys`;

const KEYS = keysFrom('api_keys', 'NULL');

/** One key of a cellar. A key of another cellar is as unknown as one that does not exist. */
export async function getKeyRow(database: Queryable, cellar: string, id: string): Promise<KeyRow> {
  const [row] = await database.query<KeyRow>(`SELECT * FROM ${KEYS} WHERE cellar = $1 AND id = $2`, [
    cellar,
    id,
  ]);
  if (row === undefined) throw new ApiError('not_found', 'API key not found in this cellar');
  return row;
}

export function toKeyView(row: KeyRow): KeyView {
  return toView(keyViewSchema, row, { rateLimit: toRateLimit(row) });
}
