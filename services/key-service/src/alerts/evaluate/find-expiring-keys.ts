import { MAX_OBSERVED } from '@cellarman/contracts';
import type { Queryable } from '../../postgres/database.ts';
import { LAST_USED } from '../../keys/key-row.ts';
import type { ConditionOf } from '../rules/condition-schema.ts';
import type { Observation } from './observed.ts';

interface Row {
  id: string;
  name: string;
  display_prefix: string;
  expires_at: Date;
  since: Date;
}

/**
 * Keys that devices will miss, or miss already: used in the last 7 days. A key that was replaced and is not used any more
 * is none of them, and neither is one that expired a week ago.
 */
export async function findExpiringKeys(
  database: Queryable,
  cellar: string,
  { withinDays }: ConditionOf<'key_expires'>,
): Promise<Observation> {
  const rows = await database.query<Row>(
    `SELECT id, name, display_prefix, expires_at,
       greatest(expires_at - make_interval(days => $2::int), created_at) AS since
     FROM api_keys LEFT JOIN key_uses ON key_uses.key_id = api_keys.id
     WHERE cellar = $1 AND revoked_at IS NULL
       AND coalesce(expires_at, 'infinity') BETWEEN now() - interval '7 days' AND now() + make_interval(days => $2::int)
       AND ${LAST_USED} > now() - interval '7 days'
     ORDER BY coalesce(expires_at, 'infinity'), id LIMIT $3`,
    [cellar, withinDays, MAX_OBSERVED + 1],
  );
  return {
    subjects: rows.slice(0, MAX_OBSERVED).map((row) => ({
      subject: row.id,
      label: row.name,
      since: row.since,
      brokenAt: null,
      details: { expiresAt: row.expires_at.toISOString(), displayPrefix: row.display_prefix },
    })),
    holdSeconds: 0,
    isTruncated: rows.length > MAX_OBSERVED,
  };
}
