import { ApiError } from '@cellarman/http-api';
import type { Queryable } from '../postgres/database.ts';

/** Keys that one statement counts: 1,000,000 took 0.6 s. */
const KEYS_OF_A_STEP = 20_000;

/**
 * Throws when a cellar has more than `maxKeys` active keys.
 *
 * Call it after the change, in a transaction that has locked the cellar: concurrent requests cannot exceed the limit together.
 *
 * @param added how many the transaction has added
 * @throws {ApiError} `conflict`
 */
export type LimitActiveKeys = (transaction: Queryable, cellar: string, added?: number) => Promise<void>;

export function createLimitActiveKeys(maxKeys: number): LimitActiveKeys {
  // Counting 100,000 keys takes tens of milliseconds. Each new key is a change with a number, so as long as there were fewer
  // changes since the last count than were free then, the limit is not reached.
  const recountAfter = new Map<string, { from: number; to: number }>();

  return async (transaction, cellar, added = 1) => {
    const [counter] = await transaction.query<{ value: string }>(`SELECT value FROM counter`);
    const number = Number(counter?.value);
    const known = recountAfter.get(cellar);
    if (known !== undefined && number >= known.from && number + added <= known.to) return;
    const count = await countActiveKeys(transaction, cellar, maxKeys + 1);
    if (count > maxKeys) {
      throw new ApiError(
        'conflict',
        `The limit of ${maxKeys} active API keys per cellar is reached. Revoke unused keys.`,
      );
    }
    recountAfter.set(cellar, { from: number, to: number + maxKeys - count });
  };
}

/** No key that expires now has a greater id: then the first step begins after these. */
const LAST_ID = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

/** Counts at most `most` keys, in the order of the index `api_keys_active`. */
async function countActiveKeys(transaction: Queryable, cellar: string, most: number): Promise<number> {
  let last: { expiry: string; id: string; count: string } | undefined;
  let count = 0;
  do {
    [last] = await transaction.query<{ expiry: string; id: string; count: string }>(
      `WITH step AS MATERIALIZED (
         SELECT coalesce(expires_at, 'infinity') AS expiry, id FROM api_keys
         WHERE cellar = $1 AND revoked_at IS NULL
           AND (coalesce(expires_at, 'infinity'), id) > (coalesce($2::timestamptz, now()), $3::uuid)
         ORDER BY coalesce(expires_at, 'infinity'), id
         LIMIT $4
       )
       SELECT expiry::text, id, (SELECT count(*) FROM step) AS count
       FROM step ORDER BY step.expiry DESC, id DESC LIMIT 1`,
      [cellar, last?.expiry, last?.id ?? LAST_ID, Math.min(KEYS_OF_A_STEP, most - count)],
    );
    count += Number(last?.count ?? 0);
  } while (count < most && Number(last?.count) === KEYS_OF_A_STEP);
  return count;
}
