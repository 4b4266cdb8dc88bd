import { hashApiKey } from '@cellarman/api-key';
import type { Scope } from '@cellarman/contracts';
import type { Actor } from '../changes/record-changes.ts';
import type { RateLimit } from '../http/rate-limit-schema.ts';
import { ApiError } from '@cellarman/http-api';
import type { Queryable } from '../postgres/database.ts';
import { requireFuture } from './expiry.ts';

/** `cm_` and five of thirty random digits: 149 bits stay secret. */
const DISPLAYED_CHARACTERS = 8;

/** A row changes about 30 pages, mostly random ones of indexes: 1,000 rows took 0.8 s with 5,000,000 keys. */
const KEYS_OF_A_STATEMENT = 100;

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

/**
 * Inserts rows of one cellar. The hashes go into them, the secrets nowhere.
 *
 * @returns the ids of the new keys by the hashes of their secrets; keys whose `requestId` is known are not among them
 */
export async function insertKeys(
  transaction: Queryable,
  keys: readonly KeyToInsert[],
  creator: Creator,
): Promise<Map<string, string>> {
  await requireFuture(
    transaction,
    keys.map(({ expiresAt }) => expiresAt),
  );
  const ids = new Map<string, string>();
  for (let first = 0; first < keys.length; first += KEYS_OF_A_STATEMENT) {
    const rows = await insertRows(transaction, keys.slice(first, first + KEYS_OF_A_STATEMENT), creator);
    for (const { id, hash } of rows) ids.set(hash, id);
  }
  return ids;
}

function insertRows(transaction: Queryable, keys: readonly KeyToInsert[], creator: Creator) {
  return transaction.query<{ id: string; hash: string }>(
    `INSERT INTO api_keys (cellar, name, hash, display_prefix, rack, rack_prefix, scopes, rate_per_second,
                           rate_burst, expires_at, created_by, created_by_token, rotated_from, request_id,
                           claim_code_id, claim_device_hash, claim_salt)
     SELECT cellar, name, decode(hash, 'hex'), display_prefix, rack, rack_prefix, scopes, rate_per_second,
            rate_burst, expires_at, $2, $3, rotated_from, request_id,
            claim_code_id, decode(device_hash, 'hex'), decode(salt, 'hex')
     FROM jsonb_to_recordset($1::jsonb) AS key (
       cellar text, name text, hash text, display_prefix text, rack text, rack_prefix text, scopes text[],
       rate_per_second float8, rate_burst int, expires_at timestamptz, rotated_from uuid, request_id text,
       claim_code_id uuid, device_hash text, salt text)
     ON CONFLICT (cellar, request_id) DO NOTHING
     RETURNING id, encode(hash, 'hex') AS hash`,
    [JSON.stringify(keys.map(toRow)), creator.id, creator.tokenId ?? null],
  );
}

function toRow(key: KeyToInsert) {
  return {
    cellar: key.cellar,
    name: key.name,
    hash: hashApiKey(key.secret),
    display_prefix: key.secret.slice(0, DISPLAYED_CHARACTERS),
    rack: key.rack,
    rack_prefix: key.rackPrefix,
    scopes: key.scopes,
    rate_per_second: key.rateLimit?.perSecond,
    rate_burst: key.rateLimit?.burst,
    expires_at: key.expiresAt === null ? null : new Date(key.expiresAt),
    rotated_from: key.rotatedFrom,
    request_id: key.requestId,
    claim_code_id: key.claimCode?.id,
    device_hash: key.device?.hash.toString('hex'),
    salt: key.device?.salt.toString('hex'),
  };
}

/** Inserts the row of one key and returns its id. */
export async function insertKey(transaction: Queryable, key: KeyToInsert, creator: Creator): Promise<string> {
  const [id] = (await insertKeys(transaction, [key], creator)).values();
  if (id !== undefined) return id;

  const made = (await findByRequest(transaction, key.cellar, [key])).get(key.requestId ?? '');
  throw new ApiError(
    'conflict',
    `A request with this Idempotency-Key has already created key ${made ?? ''}, and its secret is shown only ` +
      'once. If you did not receive it, revoke that key and retry with another Idempotency-Key.',
    made === undefined ? {} : { location: `/api/v1/cellars/${key.cellar}/keys/${made}` },
  );
}

/** Returns the ids of keys by the requests that created them. */
export async function findByRequest(
  transaction: Queryable,
  cellar: string,
  keys: readonly Pick<NewKey, 'requestId'>[],
): Promise<Map<string, string>> {
  const rows = await transaction.query<{ id: string; request_id: string }>(
    `SELECT id, request_id FROM api_keys WHERE cellar = $1 AND request_id = ANY ($2::text[])`,
    [cellar, keys.map(({ requestId }) => requestId)],
  );
  return new Map(rows.map(({ id, request_id: requestId }) => [requestId, id]));
}
