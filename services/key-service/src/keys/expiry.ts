import { Refusal } from '../http/refusal.ts';
import type { Queryable } from '../postgres/database.ts';

/** By the clock of the database, which also decides when the key has expired. */
export async function mustBeFuture(database: Queryable, expiresAt: string): Promise<void> {
  const [row] = await database.query<{ future: boolean }>(`SELECT $1::timestamptz > now() AS future`, [
    expiresAt,
  ]);
  if (row?.future !== true) throw new Refusal('invalid_request', 'expiresAt must lie in the future');
}
