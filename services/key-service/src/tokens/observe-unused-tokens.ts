import type { Telemetry } from '@cellarman/telemetry';
import type { Queryable } from '../postgres/database.ts';
import { observeCount } from '../postgres/observe-count.ts';

async function countUnusedTokens(database: Queryable): Promise<number> {
  const [row] = await database.query<{ tokens: string }>(
    `SELECT count(*) AS tokens FROM service_tokens
     WHERE revoked_at IS NULL AND (expires_at IS NULL OR expires_at > now())
       AND coalesce(last_used_at, created_at) < now() - interval '30 days'`,
  );
  return Number(row?.tokens ?? 0);
}

/** Tokens that are no longer needed, but remain valid for an attacker who finds one. */
export const observeUnusedTokens = (parts: { database: Queryable } & Pick<Telemetry, 'meter' | 'logger'>) =>
  observeCount({
    ...parts,
    name: 'cellarman_key_service_unused_tokens',
    description: 'Active service tokens that were not used within 30 days.',
    count: () => countUnusedTokens(parts.database),
  });
