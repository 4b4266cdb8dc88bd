import { deriveApiKey, hasClaimCodeFormat, hashApiKey } from '@cellarman/api-key';
import { createLimiter } from '@cellarman/concurrency';
import { ApiError } from '@cellarman/http-api';
import { randomBytes } from 'node:crypto';
import { lockCellar } from '../cellars/lock-cellar.ts';
import type { Commit } from '../changes/committer.ts';
import type { Actor } from '../changes/record-changes.ts';
import { createNetworkLimit } from '../http/network-limit.ts';
import { insertKey } from '../keys/insert-key.ts';
import { createLimitActiveKeys } from '../keys/limit-active-keys.ts';
import type { Database, Queryable } from '../postgres/database.ts';
import { createFindBySecret } from '../secrets/find-by-secret.ts';
import { hashSecret } from '../secrets/random-secret.ts';
import { findClaim } from './find-claim.ts';
import { findClaimCodes, lockClaimCode } from './find-claim-codes.ts';
import type { KnownClaimCode } from './find-claim-codes.ts';
import { unknownClaimCode } from './unknown-claim-code.ts';

export interface Claim {
  claimCode: string;
  rack: string;
  deviceSecret: string;
}

export interface ClaimedKey {
  apiKey: string;
  keyId: string;
  cellar: string;
  rack: string;
  isNew: boolean;
}

/** @param from the IP address that the request came from */
export type ClaimKey = (claim: Claim, from: string) => Promise<ClaimedKey>;

/** Of one code. A code that leaked cannot be used to keep the connection for requests without a session busy. */
const PER_SECOND = 20;
const BURST = 200;
const MAX_WAITING = 200;
const WAIT_MS = 2_000;
/** The length of the name of a key. */
const NAME_CHARACTERS = 100;

/**
 * Exchanges claim codes for keys. Unknown codes cost a share of one coalesced query, and claims run one at a time, fairly by
 * code: neither keeps a user from signing in or revoking.
 */
export function createClaimKey(options: {
  /** For clients without a session. */
  database: Database;
  /** On the same connections. */
  commit: Commit;
  maxKeysPerCellar: number;
}): ClaimKey {
  const { database, commit } = options;
  const find = createFindBySecret((hashes) => findClaimCodes(database, hashes));
  const limit = createNetworkLimit({ perSecond: PER_SECOND, burst: BURST, clock: () => performance.now() });
  const limiter = createLimiter({ running: 1, waiting: MAX_WAITING, waitMs: WAIT_MS, evicts: true, full });
  const limitActiveKeys = createLimitActiveKeys(options.maxKeysPerCellar);

  async function claimIn(
    transaction: Queryable,
    known: KnownClaimCode,
    { claimCode, rack, deviceSecret }: Claim,
  ) {
    const { id, cellar } = known;
    await lockCellar(transaction, cellar);
    const code = await lockClaimCode(transaction, id);
    const deviceHash = hashSecret(deviceSecret);
    const before = await findClaim(transaction, { codeId: id, cellar, rack, deviceHash });
    if (before !== undefined) {
      const apiKey = deriveApiKey(before.salt, [claimCode, rack, deviceSecret]);
      return {
        changed: [],
        entries: [],
        result: { apiKey, keyId: before.keyId, cellar, rack, isNew: false },
      };
    }
    await code.take(rack);
    const salt = randomBytes(32);
    const apiKey = deriveApiKey(salt, [claimCode, rack, deviceSecret]);
    const keyId = await insertKey(
      transaction,
      {
        ...{ cellar, secret: apiKey, name: Array.from(rack).slice(0, NAME_CHARACTERS).join('') },
        ...(code.forGateways ? { rack: null, rackPrefix: rack } : { rack, rackPrefix: null }),
        ...{ scopes: ['ingest'], rateLimit: code.rateLimit, expiresAt: null },
        ...{ claimCode: { id }, device: { hash: deviceHash, salt } },
      },
      code.creator,
    );
    await limitActiveKeys(transaction, cellar);
    return {
      result: { apiKey, keyId, cellar, rack, isNew: true },
      changed: [{ kind: 'key', hash: hashApiKey(apiKey) } as const],
      entries: [
        { action: 'key.claimed', cellar, keyId, details: { rack, claimCodeId: id, claimCode: code.name } },
      ],
    };
  }

  return async (claim, from) => {
    const { claimCode } = claim;
    const known = hasClaimCodeFormat(claimCode) ? await find(claimCode) : undefined;
    if (known === undefined) throw unknownClaimCode();
    if (!limit.take(known.id))
      throw new ApiError('rate_limited', 'Too many claims with this claim code. Retry in a second.', {
        retryAfterSeconds: 1,
      });
    const actor: Actor = { id: null, name: `claim code ${known.displayPrefix}`, address: from };
    return limiter.run({ owner: known.id }, () =>
      commit(actor, (transaction) => claimIn(transaction, known, claim)),
    );
  };
}

function full(): ApiError {
  return new ApiError('unavailable', 'Too many devices are claiming a key. Try again.', {
    retryAfterSeconds: 1,
  });
}
