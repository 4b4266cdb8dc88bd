import type { Client } from 'pg';

/** Keys of all cellars. The first fifth is in one cellar. */
export const KEYS = 5_000_000;
export const CELLARS = 100_000;
export const LARGE_CELLAR = 'a-large';
/** Cellars with 50,000 keys each: the first page of cellars has them. */
const MEDIUM_CELLARS = 40;

/** Has created nothing. */
export const SECOND_USER = 'second@example.com';

/** The SHA-256 of a key, as the database computes it, for lookups. */
const HASH_OF = (n: number | string) => `sha256(('key-' || ${n})::bytea)`;

const CELLAR_OF = `CASE WHEN n <= ${KEYS / 5} THEN '${LARGE_CELLAR}'
  WHEN n <= ${(KEYS * 3) / 5} THEN 'b-' || lpad((1 + n % ${MEDIUM_CELLARS})::text, 2, '0')
  ELSE 'c-' || lpad((${MEDIUM_CELLARS + 1} + n % ${CELLARS - MEDIUM_CELLARS - 1})::text, 6, '0') END`;

/**
 * One key in ten has an expiry, 50,000 of the large cellar within five days; one in twenty is revoked, four in five were used
 * within a day. There are audit entries of a quarter of them, and rejections of 40,000 within the last hour.
 */
const STATEMENTS = [
  `SET synchronous_commit = off`,
  `INSERT INTO cellars (name, retention_days, rate_per_second, rate_burst)
   SELECT CASE WHEN n = 0 THEN '${LARGE_CELLAR}' WHEN n <= ${MEDIUM_CELLARS} THEN 'b-' || lpad(n::text, 2, '0')
               ELSE 'c-' || lpad(n::text, 6, '0') END, 90 + n % 300, 1000, 2000
   FROM generate_series(0, ${CELLARS - 1}) AS n`,
  `INSERT INTO api_keys (cellar, name, hash, display_prefix, rack, scopes, created_at, expires_at, revoked_at)
   SELECT ${CELLAR_OF}, 'Device ' || substr(md5(n::text), 1, 6) || ' of hall ' || n % 97, ${HASH_OF('n')},
          'cm_' || substr(md5(n::text), 1, 5), 'rack-' || n, '{ingest}',
          now() - interval '1 year' + n * interval '6 seconds',
          CASE WHEN n <= 50000 THEN now() + (n % 7200) * interval '1 minute'
               WHEN n % 10 = 0 THEN now() + (n % 545 - 180) * interval '1 day' END,
          CASE WHEN n % 20 = 1 THEN now() - (n % 1000) * interval '1 hour' END
   FROM generate_series(1, ${KEYS}) AS n`,
  `INSERT INTO audit (at, actor, action, cellar, key_id, details)
   SELECT created_at, 'bench', 'key.created', cellar, id, jsonb_build_object('name', name, 'rack', rack)
   FROM api_keys WHERE id < '40000000-0000-0000-0000-000000000000'`,
];

/** What depends on the time of the run. */
const FRESH_STATEMENTS = [
  `INSERT INTO key_uses (key_id, at)
   SELECT id, now() - random() * interval '1 day' FROM api_keys WHERE hashtext(id::text) % 5 <> 0
   ON CONFLICT DO NOTHING`,
  `DELETE FROM refusals`,
  `INSERT INTO refusals (cellar, minute, key_id, code, field, count, last_at)
   SELECT cellar, date_trunc('minute', now()) - (n % 60) * interval '1 minute', id, 'rate_limited', '', 5, now()
   FROM (SELECT id, cellar, row_number() OVER () AS n FROM api_keys
         WHERE id < '02000000-0000-0000-0000-000000000000') AS sampled`,
  // What an earlier run has changed.
  `UPDATE cellars SET archived_at = NULL, archived_by = NULL WHERE archived_at IS NOT NULL`,
  `DELETE FROM cellars WHERE name = 'created'`,
  // key-service creates the first user only where there is none.
  `DELETE FROM administrators WHERE email = '${SECOND_USER}'`,
  `VACUUM (ANALYZE)`,
  `CHECKPOINT`,
];

/** Makes the rows, unless an earlier run has. Returns how many seconds it took. */
export async function fill(client: Client): Promise<number> {
  const begun = performance.now();
  const { rows } = await client.query(`SELECT FROM cellars WHERE name = '${LARGE_CELLAR}'`);
  const isFilled = rows.length > 0;
  if (!isFilled) await withoutIndexes(client, 'api_keys', STATEMENTS);
  const uses = await client.query(`SELECT FROM key_uses LIMIT 1`);
  const [insertUses = '', ...others] = FRESH_STATEMENTS;
  for (const statement of uses.rows.length > 0 ? others : [insertUses, ...others]) {
    await client.query(statement);
  }
  return Math.round((performance.now() - begun) / 1_000);
}

/** Rows come several times faster without the indexes that no constraint needs. */
async function withoutIndexes(client: Client, table: string, statements: readonly string[]): Promise<void> {
  const { rows } = await client.query<{ name: string; definition: string }>(
    `SELECT indexname AS name, indexdef AS definition FROM pg_indexes
     WHERE tablename = $1 AND indexname NOT IN (SELECT conname FROM pg_constraint)`,
    [table],
  );
  await client.query(`SET maintenance_work_mem = '512MB'`);
  for (const { name } of rows) await client.query(`DROP INDEX ${name}`);
  for (const statement of statements) await client.query(statement);
  for (const { definition } of rows) await client.query(definition);
}
