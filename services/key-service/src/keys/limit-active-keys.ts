import { ApiError } from '@cellarman/http-api';
import { IS_ACTIVE } from '../cellars/is-active.ts';
import type { Queryable } from '../postgres/database.ts';

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
    const [active] = await transaction.query<{ count: string }>(
      `SELECT count(*) FROM (
         SELECT FROM api_keys
         WHERE cellar = $1 AND ${IS_ACTIVE}
         LIMIT $2
       ) AS active`,
      [cellar, maxKeys + 1],
    );
    const count = Number(active?.count);
    if (count > maxKeys) {
      throw new ApiError(
        'conflict',
        `The limit of ${maxKeys} active API keys per cellar is reached. Revoke unused keys.`,
      );
    }
    recountAfter.set(cellar, { from: number, to: number + maxKeys - count });
  };
}
