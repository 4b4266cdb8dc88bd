import { ApiError } from '@cellarman/http-api';
import type { Queryable } from '../postgres/database.ts';

/**
 * The time that a text names, if it lies in the future by the clock of the database, which also decides when the key
 * has expired.
 */
export async function readExpiry(database: Queryable, expiresAt: string | null): Promise<Date | null> {
  await requireFuture(database, [expiresAt]);
  return expiresAt === null ? null : new Date(expiresAt);
}

/** @throws {ApiError} `invalid_request`, unless each is null or a time in the future */
export async function requireFuture(
  database: Queryable,
  expiries: readonly (string | null)[],
): Promise<void> {
  const times = [...new Set(expiries)].flatMap((expiresAt) =>
    expiresAt === null ? [] : new Date(expiresAt),
  );
  if (times.length === 0) return;
  if (times.some((at) => Number.isNaN(at.getTime()))) {
    throw new ApiError('invalid_request', 'expiresAt must be a valid time');
  }
  const past = await database.query(
    `SELECT FROM unnest($1::timestamptz[]) AS given (at) WHERE at <= now() LIMIT 1`,
    [times],
  );
  if (past.length > 0) throw new ApiError('invalid_request', 'expiresAt must be in the future');
}
