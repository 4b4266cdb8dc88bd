import type { Known } from '../access/account.ts';
import { coalesceLookups } from '../postgres/coalesce-lookups.ts';
import type { Queryable } from '../postgres/database.ts';

export interface FoundAccount {
  /** The email address as it is stored. */
  email: string;
  /** Undefined for an account that does not exist or is disabled. */
  account: Known | undefined;
}

export type FindAccount = (email: string) => Promise<FoundAccount>;

interface Row {
  email: string;
  id: string | null;
  password_hash: string;
}

/**
 * Finds accounts by email address in any case. PostgreSQL alone decides what lower case is: by its locale U+0130 may be an i,
 * for JavaScript it is not, and attempts would be counted for another account than the one that is looked up.
 */
export function createFindAccount({ database }: { database: Queryable }): FindAccount {
  return coalesceLookups(async (emails: readonly string[]) => {
    const rows = await database.query<Row>(
      `SELECT lower(asked.email) AS email, administrators.id, administrators.password_hash
       FROM unnest($1::text[]) WITH ORDINALITY AS asked (email, place)
       LEFT JOIN administrators ON administrators.email = lower(asked.email) AND administrators.disabled_at IS NULL
       ORDER BY asked.place`,
      [emails],
    );
    return rows.map(({ email, id, password_hash: passwordHash }) => ({
      email,
      account: id === null ? undefined : { id, email, passwordHash },
    }));
  });
}
