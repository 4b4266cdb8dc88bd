import type { Telemetry } from '@cellarman/telemetry';
import type { Queryable } from '../postgres/database.ts';
import { LAST_USED } from './key-row.ts';
import { observeCount } from '../postgres/observe-count.ts';

/** The index `api_keys_expiring` is for this statement. */
export const COUNT_EXPIRING_KEYS = `SELECT count(*) AS keys
  FROM api_keys JOIN cellars ON cellars.name = cellar LEFT JOIN key_uses ON key_uses.key_id = api_keys.id
  WHERE revoked_at IS NULL AND archived_at IS NULL AND expires_at BETWEEN now() AND now() + interval '7 days'
    AND ${LAST_USED} > now() - interval '1 day'`;

/**
 * Counts the keys in use that expire soon. A key that was replaced by rotation counts as long as a device still uses it.
 */
async function countExpiringKeys(database: Queryable): Promise<number> {
  const [row] = await database.query<{ keys: string }>(COUNT_EXPIRING_KEYS);
  return Number(row?.keys ?? 0);
}

/** One number for all keys: a label with a key or a cellar would grow with the fleet. */
export const observeExpiringKeys = (
  parts: { database: Queryable; intervalMs?: number } & Pick<Telemetry, 'meter' | 'logger'>,
) =>
  observeCount({
    ...parts,
    name: 'cellarman_key_service_expiring_keys',
    description: 'API keys that expire within 7 days and were used within the last day.',
    count: () => countExpiringKeys(parts.database),
  });
