import { ApiError } from '@cellarman/http-api';
import { toRateLimit } from '../http/rate-limit-schema.ts';
import type { RateLimit } from '../http/rate-limit-schema.ts';
import type { Creator } from '../keys/insert-key.ts';
import type { Queryable } from '../postgres/database.ts';
import { unknownClaimCode } from './unknown-claim-code.ts';

/** What does not change of a claim code. */
export interface KnownClaimCode {
  id: string;
  cellar: string;
  displayPrefix: string;
}

export interface LockedClaimCode {
  name: string;
  forGateways: boolean;
  rateLimit: RateLimit | null;
  creator: Creator;
  /**
   * Counts one more key.
   *
   * @throws {ApiError} `rack_mismatch`, `invalid_claim_code` when it has expired, `claim_code_used_up`
   */
  take(rack: string): Promise<void>;
}

interface Row {
  name: string;
  rack_prefix: string | null;
  for_gateways: boolean;
  max_keys: number;
  claimed_keys: number;
  is_expired: boolean;
  rate_per_second: number | null;
  rate_burst: number | null;
  created_by: string | null;
  created_by_token: string | null;
}

/** The codes with these hashes that are not revoked, in order. */
export async function findClaimCodes(
  database: Queryable,
  hashes: readonly Buffer[],
): Promise<(KnownClaimCode | undefined)[]> {
  const rows = await database.query<{ id: string | null; cellar: string; display_prefix: string }>(
    `SELECT codes.id, codes.cellar, codes.display_prefix
     FROM unnest($1::bytea[]) WITH ORDINALITY AS wanted (hash, place)
     LEFT JOIN (
       SELECT claim_codes.* FROM claim_codes JOIN cellars ON cellars.name = cellar
       WHERE revoked_at IS NULL AND archived_at IS NULL
     ) AS codes USING (hash)
     ORDER BY wanted.place`,
    [hashes],
  );
  return rows.map(({ id, cellar, display_prefix: displayPrefix }) =>
    id === null ? undefined : { id, cellar, displayPrefix },
  );
}

/**
 * Keeps other claims and a revocation waiting until this transaction ends.
 *
 * @throws {ApiError} `invalid_claim_code` if it was revoked meanwhile
 */
export async function lockClaimCode(transaction: Queryable, id: string): Promise<LockedClaimCode> {
  const [row] = await transaction.query<Row>(
    `SELECT name, rack_prefix, for_gateways, max_keys, claimed_keys, expires_at <= now() AS is_expired, rate_per_second, rate_burst,
            created_by, created_by_token
     FROM claim_codes WHERE id = $1 AND revoked_at IS NULL FOR NO KEY UPDATE`,
    [id],
  );
  if (row === undefined) throw unknownClaimCode();
  return {
    name: row.name,
    forGateways: row.for_gateways,
    rateLimit: toRateLimit(row),
    creator: {
      id: row.created_by,
      ...(row.created_by_token === null ? {} : { tokenId: row.created_by_token }),
    },
    async take(rack) {
      if (row.is_expired) throw new ApiError('invalid_claim_code', 'The claim code has expired');
      if (!rack.startsWith(row.rack_prefix ?? ''))
        throw new ApiError(
          'rack_mismatch',
          `The claim code is for racks whose names begin with ${JSON.stringify(row.rack_prefix)}`,
        );
      if (row.claimed_keys >= row.max_keys)
        throw new ApiError('claim_code_used_up', `All ${row.max_keys} keys of the claim code are claimed`);
      await transaction.query(`UPDATE claim_codes SET claimed_keys = claimed_keys + 1 WHERE id = $1`, [id]);
    },
  };
}
