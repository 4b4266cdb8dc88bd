import { ApiError } from '@cellarman/http-api';
import { readExpiry } from '../keys/expiry.ts';
import type { Queryable } from '../postgres/database.ts';

/** When the request names no expiry. */
const DEFAULT_DAYS = 90;
/** A client that requests exactly the maximum may have a clock that is ahead. */
const CLOCK_SKEW_SECONDS = 3_600;

/**
 * When a new service token expires.
 *
 * @param expiresAt undefined: in 90 days, or after the maximum if that is shorter; null: never
 * @param maxDays null: no maximum, and tokens without an expiry are allowed
 * @throws {ApiError} `invalid_request` beyond the maximum
 */
export async function readTokenExpiry(
  database: Queryable,
  expiresAt: string | null | undefined,
  maxDays: number | null,
): Promise<Date | null> {
  if (expiresAt === undefined) {
    const days = Math.min(DEFAULT_DAYS, maxDays ?? DEFAULT_DAYS);
    const [row] = await database.query<{ at: Date }>(`SELECT now() + make_interval(days => $1) AS at`, [
      days,
    ]);
    return row?.at ?? null;
  }
  const at = await readExpiry(database, expiresAt);
  if (maxDays === null) return at;
  const [row] = await database.query<{ within: boolean | null }>(
    `SELECT $1::timestamptz <= now() + make_interval(days => $2, secs => $3) AS within`,
    [at, maxDays, CLOCK_SKEW_SECONDS],
  );
  if (row?.within === true) return at;
  throw new ApiError('invalid_request', `body/expiresAt must be within ${maxDays} days (TOKEN_MAX_DAYS)`);
}
