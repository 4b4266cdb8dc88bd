import { ApiError } from '@cellarman/http-api';
import type { Queryable } from '../postgres/database.ts';

/**
 * The time that a text names, if it lies in the future by the clock of the database, which also decides when the key
 * has expired.
 */
export async function readExpiry(database: Queryable, expiresAt: string | null): Promise<Date | null> {
  if (expiresAt === null) return null;
  const at = new Date(expiresAt);
  if (Number.isNaN(at.getTime())) throw new ApiError('invalid_request', 'expiresAt must be a valid time');
  const [row] = await database.query<{ future: boolean }>(`SELECT $1::timestamptz > now() AS future`, [at]);
  if (row?.future !== true) throw new ApiError('invalid_request', 'expiresAt must be in the future');
  return at;
}
