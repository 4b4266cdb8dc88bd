import { IS_ACTIVE } from '../cellars/is-active.ts';
import type { Queryable } from '../postgres/database.ts';

/** 100,000 keys took longer than a statement may, 3.4 to 4.2 s. */
const KEYS_PER_STATEMENT = 10_000;

export interface RevokedCreations {
  revokedTokens: number;
  revokedClaimCodes: number;
  revokedKeys: number;
  /** How many keys of which cellars. */
  byCellar: Map<string, number>;
}

/**
 * Revokes the service tokens that a person has created, and the claim codes and API keys that they or these tokens have created, as a part of
 * something that is audited. The person must be locked.
 */
export async function revokeCreated(
  transaction: Queryable,
  userId: string,
  revokedBy: string | null,
): Promise<RevokedCreations> {
  const tokens = await transaction.query(
    `UPDATE service_tokens SET revoked_at = now()
     WHERE created_by = $1 AND ${IS_ACTIVE}
     RETURNING id`,
    [userId],
  );
  const claimCodes = await transaction.query(
    `UPDATE claim_codes SET revoked_at = now(), revoked_by = $2
     WHERE revoked_at IS NULL AND expires_at > now()
       AND (created_by = $1
            OR created_by_token IN (SELECT id FROM service_tokens WHERE service_tokens.created_by = $1))
     RETURNING id`,
    [userId, revokedBy],
  );
  // Served by the indexes of migration 0027, however many keys others have created.
  const isNext = `${IS_ACTIVE} AND ($3::uuid IS NULL OR id > $3)`;
  let revokedKeys = 0;
  const byCellar = new Map<string, number>();
  let last: string | null = null;
  for (;;) {
    // Locked in the order of their ids, as everybody does who locks several keys: no deadlock.
    const keys: { id: string; cellar: string }[] = await transaction.query<{ id: string; cellar: string }>(
      `WITH created AS (
         SELECT id, cellar FROM api_keys
         WHERE ${isNext} AND id IN (
           (SELECT id FROM api_keys WHERE created_by = $1 AND ${isNext} ORDER BY id LIMIT $4)
           UNION ALL
           (SELECT next.id FROM service_tokens AS token CROSS JOIN LATERAL (
              SELECT id FROM api_keys WHERE created_by_token = token.id AND ${isNext} ORDER BY id LIMIT $4
            ) AS next WHERE token.created_by = $1)
         )
         ORDER BY id LIMIT $4 FOR UPDATE
       ), revoked AS (
         UPDATE api_keys SET revoked_at = now(), revoked_by = $2 FROM created WHERE api_keys.id = created.id
       )
       SELECT id, cellar FROM created ORDER BY id`,
      [userId, revokedBy, last, KEYS_PER_STATEMENT],
    );
    revokedKeys += keys.length;
    for (const { cellar } of keys) byCellar.set(cellar, (byCellar.get(cellar) ?? 0) + 1);
    last = keys.at(-1)?.id ?? null;
    if (keys.length < KEYS_PER_STATEMENT) break;
  }
  return {
    revokedTokens: tokens.length,
    revokedClaimCodes: claimCodes.length,
    revokedKeys,
    byCellar,
  };
}
