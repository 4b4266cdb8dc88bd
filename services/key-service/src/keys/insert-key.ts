import { hashApiKey } from '@cellarman/api-key';
import type { Scope } from '@cellarman/contracts';
import type { Actor } from '../changes/record-changes.ts';
import type { RateLimit } from '../http/rate-limit-schema.ts';
import { ApiError } from '@cellarman/http-api';
import type { Queryable } from '../postgres/database.ts';
import { readExpiry } from './expiry.ts';

/** `cm_` and five of thirty random digits: 149 bits stay secret. */
const DISPLAYED_CHARACTERS = 8;

export interface NewKey {
  name: string;
  rack: string | null;
  rackPrefix: string | null;
  scopes: Scope[];
  rateLimit: RateLimit | null;
  expiresAt: string | null;
  /** What the client calls its request: the same one twice makes one key. */
  requestId?: string;
}

export interface KeyToInsert extends NewKey {
  cellar: string;
  secret: string;
  /** The id of the key that this one takes over from. */
  rotatedFrom?: string;
  /** The code that it is claimed with. */
  claimCode?: { id: string } | null;
  /** The device that claims it. */
  device?: { hash: Buffer; salt: Buffer };
}

export type Creator = Pick<Actor, 'id' | 'tokenId'>;

/** Inserts the row and gives its id. The hash goes into it, the secret nowhere. */
export async function insertKey(transaction: Queryable, key: KeyToInsert, creator: Creator): Promise<string> {
  const expiresAt = await readExpiry(transaction, key.expiresAt);
  const [row] = await transaction.query<{ id: string }>(
    `INSERT INTO api_keys (cellar, name, hash, display_prefix, rack, rack_prefix, scopes, rate_per_second,
                           rate_burst, expires_at, created_by, created_by_token, rotated_from, request_id,
                           claim_code_id, claim_device_hash, claim_salt)
     VALUES ($1, $2, decode($3, 'hex'), $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17)
     ON CONFLICT (cellar, request_id) DO NOTHING
     RETURNING id`,
    [
      key.cellar,
      key.name,
      hashApiKey(key.secret),
      key.secret.slice(0, DISPLAYED_CHARACTERS),
      key.rack,
      key.rackPrefix,
      key.scopes,
      key.rateLimit?.perSecond ?? null,
      key.rateLimit?.burst ?? null,
      expiresAt,
      creator.id,
      creator.tokenId ?? null,
      key.rotatedFrom ?? null,
      key.requestId ?? null,
      key.claimCode?.id ?? null,
      key.device?.hash ?? null,
      key.device?.salt ?? null,
    ],
  );
  if (row !== undefined) return row.id;

  const [made] = await transaction.query<{ id: string }>(
    `SELECT id FROM api_keys WHERE cellar = $1 AND request_id = $2`,
    [key.cellar, key.requestId],
  );
  throw new ApiError(
    'conflict',
    `A request with this Idempotency-Key has already created key ${made?.id ?? ''}, and its secret is shown only ` +
      'once. If you did not receive it, revoke that key and retry with another Idempotency-Key.',
    made === undefined ? {} : { location: `/api/v1/cellars/${key.cellar}/keys/${made.id}` },
  );
}
