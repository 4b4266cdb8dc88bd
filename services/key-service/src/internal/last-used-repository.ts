import type { LastUsedRequest } from '@cellarman/contracts';
import type { Queryable } from '../postgres/database.ts';

const ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** When keys were last used. */
export function createLastUsedRepository({ database }: { database: Queryable }) {
  return {
    /**
     * Moves times forward only, and never past the database's now: the clock of a replica may be wrong. Unknown ids
     * are left out.
     *
     * The rows are locked in the order of their ids, so that batches of several replicas do not block each other for good.
     */
    async record(uses: LastUsedRequest['uses']): Promise<void> {
      const known = uses.filter(({ id }) => ID.test(id));
      if (known.length === 0) return;
      await database.query(
        `WITH uses AS (
           SELECT id, least(max(at), now()) AS at
           FROM unnest($1::uuid[], $2::timestamptz[]) AS given (id, at)
           GROUP BY id
         ), locked AS (
           SELECT api_keys.id, uses.at FROM api_keys JOIN uses USING (id)
           WHERE api_keys.last_used_at IS NULL OR api_keys.last_used_at < uses.at
           ORDER BY api_keys.id
           FOR NO KEY UPDATE OF api_keys
         )
         UPDATE api_keys SET last_used_at = locked.at FROM locked
         WHERE api_keys.id = locked.id
           AND (api_keys.last_used_at IS NULL OR api_keys.last_used_at < locked.at)`,
        [known.map(({ id }) => id), known.map(({ at }) => new Date(at))],
      );
    },
  };
}

export type LastUsedRepository = ReturnType<typeof createLastUsedRepository>;
