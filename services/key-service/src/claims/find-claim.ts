import { ApiError } from '@cellarman/http-api';
import { IS_ACTIVE } from '../cellars/is-active.ts';
import type { Queryable } from '../postgres/database.ts';

interface Row {
  id: string;
  is_active: boolean;
  claim_salt: Buffer | null;
  is_same_device: boolean;
}

/**
 * Finds the key that the same device has claimed before, so that a device that lost the response gets it again.
 *
 * Call it in a transaction that has locked the cellar: of two devices with one rack, the second finds the key of the first.
 *
 * @throws {ApiError} `rack_claimed` when the rack has an active key, of whatever origin, or when the key of this device is no
 * longer active: a device whose key was revoked gets none by itself
 */
export async function findClaim(
  transaction: Queryable,
  { codeId, cellar, rack, deviceHash }: { codeId: string; cellar: string; rack: string; deviceHash: Buffer },
): Promise<{ keyId: string; salt: Buffer } | undefined> {
  const rows = await transaction.query<Row>(
    `SELECT * FROM (
       SELECT id, created_at, claim_salt,
              ${IS_ACTIVE} AS is_active,
              coalesce(claim_code_id = $3 AND claim_device_hash = $4, false) AS is_same_device
       FROM api_keys WHERE cellar = $1 AND coalesce(rack, rack_prefix) = $2
     ) AS keys_of_rack
     WHERE is_active OR is_same_device
     ORDER BY is_same_device DESC, is_active DESC LIMIT 1`,
    [cellar, rack, codeId, deviceHash],
  );
  const [key] = rows;
  if (key === undefined) return undefined;
  if (!key.is_same_device || key.claim_salt === null)
    throw new ApiError(
      'rack_claimed',
      `The rack ${JSON.stringify(rack)} already has an active API key. Use another rack name, or revoke that key first.`,
    );
  if (!key.is_active)
    throw new ApiError('rack_claimed', 'The API key that this device claimed is revoked or expired');
  return { keyId: key.id, salt: key.claim_salt };
}
