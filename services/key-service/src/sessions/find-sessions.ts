import { ACCESS_OF_USER } from '../access/access.ts';
import type { Role } from '../access/access.ts';
import { EPOCH } from '../changes/epoch.ts';
import type { Queryable } from '../postgres/database.ts';
import type { Session } from '../access/session.ts';

interface Row {
  session_id: string | null;
  id: string;
  email: string;
  role: Role;
  cellars: string[] | null;
  ends_at: Date;
  is_confirmed: boolean;
}

/** After the password was entered, it is not required again for this time. */
const CONFIRMED_SECONDS = 300;

/** A use is recorded when the last one is at least this part of the idle time ago: a page sends many requests a second. */
const TOUCH_AFTER = 1 / 20;

/**
 * The sessions with these hashes that have not ended, in order; with `touch` each counts as used now.
 *
 * A row that another replica touches at this moment needs no second touch, so nobody waits for a lock.
 */
export async function findSessions(
  database: Queryable,
  hashes: readonly Buffer[],
  { idleSeconds, touch }: { idleSeconds: number; touch: boolean },
): Promise<(Session | undefined)[]> {
  const rows = await database.query<Row>(
    `WITH present AS MATERIALIZED (SELECT ${EPOCH} AS epoch), live AS (
       SELECT sessions.* FROM sessions JOIN present USING (epoch)
       WHERE hash = ANY ($1::bytea[]) AND ends_at > now() AND used_at > now() - make_interval(secs => $2)
     ), touched AS (
       UPDATE sessions SET used_at = now() WHERE hash IN (
         SELECT sessions.hash FROM sessions JOIN live USING (hash)
         WHERE $3 AND live.used_at < now() - make_interval(secs => $2 * ${TOUCH_AFTER})
         FOR NO KEY UPDATE OF sessions SKIP LOCKED
       )
     )
     SELECT live.id AS session_id, administrators.id, administrators.email, ${ACCESS_OF_USER}, live.ends_at,
            greatest(live.created_at, live.confirmed_at) > now() - make_interval(secs => ${CONFIRMED_SECONDS}) AS is_confirmed
     FROM unnest($1::bytea[]) WITH ORDINALITY AS asked (hash, place)
     LEFT JOIN live USING (hash)
     LEFT JOIN administrators ON administrators.id = live.administrator_id
     ORDER BY asked.place`,
    [hashes, idleSeconds, touch],
  );
  return rows.map(({ session_id, id, email, role, cellars, ends_at, is_confirmed }) =>
    session_id === null
      ? undefined
      : {
          id: session_id,
          user: { id, email, role, cellars },
          endsAt: ends_at.getTime(),
          isConfirmed: is_confirmed,
        },
  );
}
