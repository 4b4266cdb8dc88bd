import { MAX_OBSERVED } from '@cellarman/contracts';
import type { Queryable } from '../../postgres/database.ts';
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
     FROM api_keys
     WHERE cellar = $1 AND revoked_at IS NULL AND expires_at <= now() + make_interval(days => $2::int)
       AND last_used_at > now() - interval '7 days'
     ORDER BY expires_at, id LIMIT $3`,
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
