import { ApiError, cutPage, readCursor } from '@cellarman/http-api';
import { IS_ACTIVE } from '../cellars/is-active.ts';
import { toRateLimit } from '../http/rate-limit-schema.ts';
import { toView } from '../http/to-view.ts';
import type { Queryable } from '../postgres/database.ts';
import { claimCodeViewSchema } from './claim-code-schema.ts';
import type { ClaimCodeView } from './claim-code-schema.ts';

interface Row {
  id: string;
  created_text: string;
  rate_per_second: number | null;
  rate_burst: number | null;
}

/** Those of an archived cellar were revoked with it, if not before, as its keys were. */
const SELECT = `
  SELECT codes.*, codes.created_at::text AS created_text, creator.email AS created_by, revoker.email AS revoked_by,
         coalesce(codes.revoked_at, cellars.archived_at) AS revoked_at,
         (SELECT count(*)::int FROM api_keys
          WHERE claim_code_id = codes.id AND cellars.archived_at IS NULL AND ${IS_ACTIVE}) AS active_keys,
         CASE WHEN coalesce(codes.revoked_at, cellars.archived_at) IS NOT NULL THEN 'revoked'
              WHEN codes.expires_at <= now() THEN 'expired'
              WHEN codes.claimed_keys >= codes.max_keys THEN 'used_up'
              ELSE 'active' END AS state
  FROM claim_codes AS codes
  JOIN cellars ON cellars.name = codes.cellar
  LEFT JOIN administrators AS creator ON creator.id = codes.created_by
  LEFT JOIN administrators AS revoker ON revoker.id =
    CASE WHEN codes.revoked_at IS NULL THEN cellars.archived_by ELSE codes.revoked_by END`;

const toClaimCode = (row: Row): ClaimCodeView =>
  toView(claimCodeViewSchema, row, { rateLimit: toRateLimit(row) });

/** The claim codes of a cellar, newest first, also those that can no longer be used. */
export async function listClaimCodes(
  database: Queryable,
  cellar: string,
  { limit, cursor }: { limit: number; cursor?: string },
) {
  const [beforeTime = null, beforeId = null] = cursor === undefined ? [] : readCursor(cursor, 2);
  const rows = await database.query<Row>(
    `${SELECT}
     WHERE codes.cellar = $1 AND ($2::timestamptz IS NULL OR (codes.created_at, codes.id) < ($2::timestamptz, $3::uuid))
     ORDER BY codes.created_at DESC, codes.id DESC
     LIMIT $4`,
    [cellar, beforeTime, beforeId, limit + 1],
  );
  const { page, nextCursor } = cutPage(rows, limit, (last) => [last.created_text, last.id]);
  return { claimCodes: page.map(toClaimCode), nextCursor };
}

/** A code of another cellar is as unknown as one that does not exist. @throws {ApiError} `not_found` */
export async function getClaimCode(database: Queryable, cellar: string, id: string): Promise<ClaimCodeView> {
  const [row] = await database.query<Row>(`${SELECT} WHERE codes.cellar = $1 AND codes.id = $2`, [
    cellar,
    id,
  ]);
  if (row === undefined) throw new ApiError('not_found', 'Claim code not found in this cellar');
  return toClaimCode(row);
}
