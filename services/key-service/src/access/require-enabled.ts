import type { Actor } from '../changes/record-changes.ts';
import { ApiError } from '@cellarman/http-api';
import type { Queryable } from '../postgres/database.ts';

/**
 * Keeps the person from being disabled until this transaction ends: what they create is revoked with them, or is not created.
 * Call it before anything else is locked, as disabling locks the person first: no deadlock.
 *
 * @throws {ApiError} `unauthenticated` when they have just been disabled, or their service token revoked
 */
export async function requireEnabled(transaction: Queryable, { id, tokenId }: Actor): Promise<void> {
  const enabled =
    tokenId === undefined
      ? await transaction.query(
          `SELECT FROM administrators WHERE id = $1 AND disabled_at IS NULL FOR SHARE`,
          [id],
        )
      : await transaction.query(`SELECT FROM service_tokens WHERE id = $1 AND revoked_at IS NULL FOR SHARE`, [
          tokenId,
        ]);
  if (enabled.length === 0)
    throw new ApiError('unauthenticated', 'The account is disabled, or the service token is revoked');
}
