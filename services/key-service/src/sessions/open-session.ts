import type { Administrator } from '../administrators/administrators-repository.ts';
import { EPOCH } from '../changes/epoch.ts';
import type { Queryable } from '../postgres/database.ts';

/**
 * Opens a session, and clears away those that are over: people sign in seldom enough.
 *
 * @returns when it ends in any case, in milliseconds since 1970
 */
export async function openSession(
  database: Queryable,
  hash: Buffer,
  { id }: Administrator,
  maxSeconds: number,
): Promise<number> {
  const [row] = await database.query<{ ends_at: Date }>(
    `WITH over AS (DELETE FROM sessions WHERE ends_at <= now())
     INSERT INTO sessions (hash, administrator_id, epoch, ends_at)
     VALUES ($1, $2, ${EPOCH}, now() + make_interval(secs => $3))
     RETURNING ends_at`,
    [hash, id, maxSeconds],
  );
  if (row === undefined) throw new Error('the session has got no row');
  return row.ends_at.getTime();
}
