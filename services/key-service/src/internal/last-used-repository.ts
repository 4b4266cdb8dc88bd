import type { LastUsedRequest } from '@cellarman/contracts';
import type { Queryable } from '../postgres/database.ts';

const ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** A use this soon after the stored one is not written: each replica of ingest reports the keys that it sees. */
const REST = '5 minutes';

/** When keys were last used. */
export function createLastUsedRepository({ database }: { database: Queryable }) {
  return {
    /**
     * Moves times forward only, and never past the database's now: the clock of a replica may be wrong. Unknown ids
     * are ignored.
     *
     * The rows are locked in the order of their ids, so that concurrent batches cannot deadlock.
     */
    async record(uses: LastUsedRequest['uses']): Promise<void> {
      const known = uses.filter(({ id }) => ID.test(id));
      if (known.length === 0) return;
      await database.query(
        `INSERT INTO key_uses (key_id, at)
         SELECT uses.id, uses.at
         FROM (
           SELECT id, least(max(at), now()) AS at
           FROM unnest($1::uuid[], $2::timestamptz[]) AS given (id, at)
           GROUP BY id
         ) AS uses
         LEFT JOIN key_uses ON key_uses.key_id = uses.id
         WHERE key_uses.at < uses.at - $3::interval
           OR (key_uses.at IS NULL AND EXISTS (SELECT FROM api_keys WHERE api_keys.id = uses.id))
         ORDER BY uses.id
         ON CONFLICT (key_id) DO UPDATE SET at = excluded.at WHERE key_uses.at < excluded.at`,
        [known.map(({ id }) => id), known.map(({ at }) => new Date(at)), REST],
      );
    },
  };
}

export type LastUsedRepository = ReturnType<typeof createLastUsedRepository>;
