import type { Telemetry } from '@cellarman/telemetry';
import type { Queryable } from '../postgres/database.ts';
import { LAST_USED } from './key-row.ts';
import { observeCount } from '../postgres/observe-count.ts';

/** Keys that one statement reads: the last use of each is on a random page. */
const KEYS_OF_A_STEP = 1_000;
/** One is enough for the alert. */
const MOST_COUNTED = 1_000;

/** Counts among the next keys by their expiry. The index `api_keys_expiring` is for this statement. */
export const COUNT_EXPIRING_KEYS = `WITH step AS MATERIALIZED (
    SELECT id, cellar, expires_at, last_used_at FROM api_keys
    WHERE revoked_at IS NULL AND expires_at BETWEEN now() AND now() + interval '7 days'
      AND ($1::timestamptz IS NULL OR expires_at >= $1 AND (expires_at, id) > ($1, $2::uuid))
    ORDER BY expires_at, id
    LIMIT ${KEYS_OF_A_STEP}
  )
  SELECT count(*) FILTER (WHERE archived_at IS NULL AND ${LAST_USED} > now() - interval '1 day') AS keys,
    count(*) AS examined, max(expires_at)::text AS expires_at,
    (array_agg(api_keys.id ORDER BY expires_at DESC, api_keys.id DESC))[1] AS id
  FROM step AS api_keys JOIN cellars ON cellars.name = cellar LEFT JOIN key_uses ON key_uses.key_id = api_keys.id`;

interface Step {
  [column: string]: unknown;
  keys: string;
  examined: string;
  expires_at: string | null;
  id: string | null;
}

/**
 * Counts the keys in use that expire soon. A key that was replaced by rotation counts as long as a device still uses it.
 */
async function countExpiringKeys(database: Queryable): Promise<number> {
  let last: Step | undefined;
  let keys = 0;
  do {
    [last] = await database.query<Step>(COUNT_EXPIRING_KEYS, [last?.expires_at, last?.id]);
    keys += Number(last?.keys ?? 0);
  } while (keys < MOST_COUNTED && Number(last?.examined) === KEYS_OF_A_STEP);
  return Math.min(keys, MOST_COUNTED);
}

/** One number for all keys: a label with a key or a cellar would grow with the fleet. */
export const observeExpiringKeys = (
  parts: { database: Queryable; intervalMs?: number } & Pick<Telemetry, 'meter' | 'logger'>,
) =>
  observeCount({
    ...parts,
    name: 'cellarman_key_service_expiring_keys',
    description: `API keys that expire within 7 days and were used within the last day, at most ${MOST_COUNTED}.`,
    count: () => countExpiringKeys(parts.database),
  });
