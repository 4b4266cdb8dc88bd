import { generateClaimCode } from '@cellarman/api-key';
import { ApiError } from '@cellarman/http-api';
import type { Role } from '../access/access.ts';
import { requireEnabled } from '../access/require-enabled.ts';
import { requireCellar } from '../cellars/cellars-repository.ts';
import { IS_ACTIVE } from '../cellars/is-active.ts';
import { lockCellar } from '../cellars/lock-cellar.ts';
import type { Commit } from '../changes/committer.ts';
import { recordEntry } from '../changes/record-changes.ts';
import type { Actor } from '../changes/record-changes.ts';
import type { RateLimit } from '../http/rate-limit-schema.ts';
import { readExpiry } from '../keys/expiry.ts';
import { requireRateWithin } from '../keys/rate-within-cellar.ts';
import type { Database, Queryable } from '../postgres/database.ts';
import { hashSecret } from '../secrets/random-secret.ts';
import type { ClaimCodeView } from './claim-code-schema.ts';
import { getClaimCode, listClaimCodes } from './list-claim-codes.ts';

/** The prefix and four of thirty random digits: 154 bits stay secret. */
const DISPLAYED_CHARACTERS = 8;
const MAX_DAYS = 366;

export interface NewClaimCode {
  name: string;
  rackPrefix: string | null;
  forGateways: boolean;
  maxKeys: number;
  rateLimit: RateLimit | null;
  expiresAt: string;
}

/** Claim codes in PostgreSQL. Only their hashes are stored. */
export function createClaimCodesRepository({ database, commit }: { database: Database; commit: Commit }) {
  return {
    async list(cellar: string, page: { limit: number; cursor?: string }) {
      await requireCellar(database, cellar);
      return listClaimCodes(database, cellar, page);
    },

    /** @param role of the requester */
    async create(
      cellar: string,
      code: NewClaimCode,
      role: Role,
      actor: Actor,
    ): Promise<{ claimCode: ClaimCodeView; secret: string }> {
      const secret = generateClaimCode();
      return database.transaction(async (transaction) => {
        await requireEnabled(transaction, actor);
        requireRateWithin(code.rateLimit, await lockCellar(transaction, cellar), role);
        const [row] = await transaction.query<{ id: string }>(
          `INSERT INTO claim_codes (cellar, name, hash, display_prefix, rack_prefix, for_gateways, max_keys, rate_per_second,
                                    rate_burst, created_by, created_by_token, expires_at)
           VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12) RETURNING id`,
          [
            cellar,
            code.name,
            hashSecret(secret),
            secret.slice(0, DISPLAYED_CHARACTERS),
            code.rackPrefix,
            code.forGateways,
            code.maxKeys,
            code.rateLimit?.perSecond ?? null,
            code.rateLimit?.burst ?? null,
            actor.id,
            actor.tokenId ?? null,
            await readCodeExpiry(transaction, code.expiresAt),
          ],
        );
        if (row === undefined) throw new Error('INSERT returned no row');
        const claimCode = await getClaimCode(transaction, cellar, row.id);
        const { id, name, rackPrefix, forGateways, maxKeys, rateLimit, expiresAt } = claimCode;
        await recordEntry(transaction, actor, {
          action: 'claim_code.created',
          cellar,
          details: { claimCodeId: id, name, rackPrefix, forGateways, maxKeys, rateLimit, expiresAt },
        });
        return { claimCode, secret };
      });
    },

    /**
     * Final: no key can be claimed after it. Can be repeated, to revoke the keys too.
     *
     * @param revokeKeys also revokes the claimed keys, and those that replaced them
     */
    async revoke(
      cellar: string,
      id: string,
      { revokeKeys }: { revokeKeys: boolean },
      actor: Actor,
    ): Promise<{ claimCode: ClaimCodeView; revokedKeys: number }> {
      return commit(actor, async (transaction) => {
        // A claim locks the cellar too: each key is claimed before and revoked here, or not claimed.
        await transaction.query(`SELECT FROM cellars WHERE name = $1 FOR SHARE`, [cellar]);
        const revoked = await transaction.query(
          `UPDATE claim_codes SET revoked_at = now(), revoked_by = $3
           WHERE cellar = $1 AND id = $2 AND revoked_at IS NULL RETURNING id`,
          [cellar, id, actor.id],
        );
        const hashes = revokeKeys ? await revokeClaimedKeys(transaction, cellar, id, actor) : [];
        const claimCode = await getClaimCode(transaction, cellar, id);
        const details = { claimCodeId: id, name: claimCode.name, revokedKeys: hashes.length };
        const entry = { action: 'claim_code.revoked', cellar, details };
        // No copies of codes are held, so only keys get a change number.
        if (hashes.length === 0 && revoked.length > 0) await recordEntry(transaction, actor, entry);
        return {
          result: { claimCode, revokedKeys: hashes.length },
          changed: hashes.map((hash) => ({ kind: 'key', hash }) as const),
          entries: [entry],
        };
      });
    },
  };
}

export type ClaimCodesRepository = ReturnType<typeof createClaimCodesRepository>;

/** Returns their hashes. Locked in the order of their ids, as everybody does who locks several keys: no deadlock. */
async function revokeClaimedKeys(transaction: Queryable, cellar: string, id: string, actor: Actor) {
  const rows = await transaction.query<{ hash: string }>(
    `UPDATE api_keys SET revoked_at = now(), revoked_by = $3
     WHERE id IN (
       SELECT id FROM api_keys
       WHERE cellar = $1 AND claim_code_id = $2 AND ${IS_ACTIVE}
       ORDER BY id FOR UPDATE
     )
     RETURNING encode(hash, 'hex') AS hash`,
    [cellar, id, actor.id],
  );
  return rows.map(({ hash }) => hash);
}

async function readCodeExpiry(transaction: Queryable, expiresAt: string): Promise<Date | null> {
  const at = await readExpiry(transaction, expiresAt);
  if (at !== null && at.getTime() > Date.now() + MAX_DAYS * 86_400_000)
    throw new ApiError('invalid_request', `body/expiresAt must be at most ${MAX_DAYS} days from now`);
  return at;
}
