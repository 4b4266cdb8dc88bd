import { ApiError } from '@cellarman/http-api';
import { unknownCellar } from '../access/unknown-cellar.ts';
import { toRateLimit } from '../http/rate-limit-schema.ts';
import type { RateLimit } from '../http/rate-limit-schema.ts';
import type { Queryable } from '../postgres/database.ts';

/**
 * Keeps the cellar from being changed or archived, and from getting other keys, rules or settings, until this transaction
 * ends: concurrent requests cannot exceed a limit together, and an archived cellar gets nothing.
 *
 * @returns its rate limit
 * @throws {ApiError} `not_found`; `conflict` if it is archived
 */
export async function lockCellar(transaction: Queryable, name: string): Promise<RateLimit | null> {
  const [cellar] = await transaction.query<{
    archived: boolean;
    rate_per_second: number | null;
    rate_burst: number | null;
  }>(
    `SELECT archived_at IS NOT NULL AS archived, rate_per_second, rate_burst
     FROM cellars WHERE name = $1 FOR NO KEY UPDATE`,
    [name],
  );
  if (cellar === undefined) throw unknownCellar();
  if (cellar.archived) throw new ApiError('conflict', 'The cellar is archived');
  return toRateLimit(cellar);
}
