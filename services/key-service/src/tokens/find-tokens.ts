import { selectAccess } from '../access/access.ts';
import type { Access, Role } from '../access/access.ts';
import type { Queryable } from '../postgres/database.ts';

/** A service token that may be used. */
export interface ServiceToken extends Access {
  id: string;
  name: string;
}

interface Row {
  id: string | null;
  name: string;
  role: Role;
  cellars: string[] | null;
}

/** A use is written down when the last one is this long ago. */
const TOUCH_AFTER_SECONDS = 60;

/**
 * The tokens with these hashes that are neither expired nor revoked, in order; each counts as used now.
 *
 * A row that another replica touches at this moment needs no second touch, so nobody waits for a lock.
 */
export async function findTokens(
  database: Queryable,
  hashes: readonly Buffer[],
): Promise<(ServiceToken | undefined)[]> {
  const rows = await database.query<Row>(
    `WITH live AS (
       SELECT * FROM service_tokens
       WHERE hash = ANY ($1::bytea[]) AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > now())
     ), touched AS (
       UPDATE service_tokens SET last_used_at = now() WHERE id IN (
         SELECT service_tokens.id FROM service_tokens JOIN live USING (id)
         WHERE live.last_used_at IS NULL OR live.last_used_at < now() - make_interval(secs => $2)
         FOR NO KEY UPDATE OF service_tokens SKIP LOCKED
       )
     )
     SELECT live.id, live.name, ${selectAccess('live')}
     FROM unnest($1::bytea[]) WITH ORDINALITY AS asked (hash, place)
     LEFT JOIN live USING (hash)
     ORDER BY asked.place`,
    [hashes, TOUCH_AFTER_SECONDS],
  );
  return rows.map(({ id, name, role, cellars }) => (id === null ? undefined : { id, name, role, cellars }));
}
