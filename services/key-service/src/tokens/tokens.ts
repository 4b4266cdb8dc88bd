import { requireCellars, storedAccess } from '../access/access.ts';
import type { Access } from '../access/access.ts';
import { recordEntry } from '../changes/record-changes.ts';
import type { Actor } from '../changes/record-changes.ts';
import { requireEnabled } from '../access/require-enabled.ts';
import type { Database } from '../postgres/database.ts';
import { createFindBySecret } from '../secrets/find-by-secret.ts';
import { hashSecret } from '../secrets/random-secret.ts';
import { findTokens } from './find-tokens.ts';
import type { ServiceToken } from './find-tokens.ts';
import { getToken, listTokens } from './list-tokens.ts';
import { createToken, displayPrefixOf, looksLikeToken } from './token-format.ts';
import { readTokenExpiry } from './token-expiry.ts';
import type { TokenView } from './token-schema.ts';

export interface NewToken {
  name: string;
  access: Access;
  /** Left out: the default. null: never. */
  expiresAt?: string | null;
}

/** Service tokens: credentials of scripts, which cannot sign in. Only their hashes are stored. */
export function createTokens({ database, maxDays }: { database: Database; maxDays: number | null }) {
  const findBySecret = createFindBySecret((hashes) => findTokens(database, hashes));

  return {
    /** Undefined for one that never was, has expired or is revoked. */
    find: async (token: string): Promise<ServiceToken | undefined> =>
      looksLikeToken(token) ? findBySecret(token) : undefined,

    list: async (page: { limit: number; cursor?: string }) => ({
      ...(await listTokens(database, page)),
      maxDays,
    }),

    /** @returns the one moment at which the secret is there */
    async create(
      { name, access, expiresAt }: NewToken,
      actor: Actor,
    ): Promise<{ token: TokenView; secret: string }> {
      const secret = createToken();
      return database.transaction(async (transaction) => {
        await requireEnabled(transaction, actor);
        await requireCellars(transaction, access);
        const stored = storedAccess(access);
        const [row] = await transaction.query<{ id: string }>(
          `INSERT INTO service_tokens (name, hash, display_prefix, role, cellars, views, created_by, expires_at)
           VALUES ($1, $2, $3, $4, $5, $6, $7, $8) RETURNING id`,
          [
            name,
            hashSecret(secret),
            displayPrefixOf(secret),
            stored.role,
            stored.granted,
            stored.views,
            actor.id,
            await readTokenExpiry(transaction, expiresAt, maxDays),
          ],
        );
        if (row === undefined) throw new Error('INSERT returned no row');
        const token = await getToken(transaction, row.id);
        await recordEntry(transaction, actor, {
          action: 'token.created',
          details: { tokenId: token.id, name, ...access, expiresAt: token.expiresAt },
        });
        return { token, secret };
      });
    },

    /** Final. Revoking a revoked one changes nothing. */
    async revoke(id: string, actor: Actor): Promise<TokenView> {
      return database.transaction(async (transaction) => {
        const revoked = await transaction.query(
          `UPDATE service_tokens SET revoked_at = now() WHERE id = $1 AND revoked_at IS NULL RETURNING id`,
          [id],
        );
        const token = await getToken(transaction, id);
        if (revoked.length > 0) {
          await recordEntry(transaction, actor, {
            action: 'token.revoked',
            details: { tokenId: id, name: token.name },
          });
        }
        return token;
      });
    },
  };
}

export type Tokens = ReturnType<typeof createTokens>;
