import { readdir } from 'node:fs/promises';
import { runner } from 'node-pg-migrate';
import { Client } from 'pg';
import type { Logger } from '@cellarman/telemetry';

const MIGRATIONS = `${import.meta.dirname}/../../migrations`;

/**
 * Brings the schema up to date. Replicas that start together wait for one another at an advisory lock.
 *
 * @returns the names of the migrations that were run
 */
export async function migrate(databaseUrl: string, logger: Logger): Promise<string[]> {
  const done = await runner({
    databaseUrl: { connectionString: databaseUrl, application_name: 'key-service migrate' },
    dir: MIGRATIONS,
    migrationsTable: 'migrations',
    direction: 'up',
    singleTransaction: true,
    advisoryLockMode: 'wait',
    logger: {
      debug: (line) => logger.debug({}, line),
      info: (line) => logger.debug({}, line),
      warn: (line) => logger.warn({}, line),
      error: (line) => logger.error({}, line),
    },
  });
  const names = done.map(({ name }) => name);
  if (names.length > 0) logger.info({ migrations: names }, 'migrated the database schema');
  return names;
}

/**
 * For the start of the service: migrates if something is missing. A role without the right to do so starts on tables that
 * are up to date.
 */
export async function migrateIfNeeded(databaseUrl: string, logger: Logger): Promise<void> {
  const client = new Client({ connectionString: databaseUrl, application_name: 'key-service start' });
  await client.connect();
  try {
    const missing = await missingMigrations(client);
    if (missing.length === 0) return;
    const { rows } = await client.query<{ may: boolean }>(
      `SELECT has_schema_privilege('public', 'CREATE') AS may`,
    );
    if (rows[0]?.may !== true) {
      throw new Error(
        `The role of the service may not migrate: run key-service migrate first (${missing.join(', ')})`,
      );
    }
  } finally {
    await client.end();
  }
  await migrate(databaseUrl, logger);
}

async function missingMigrations(client: Client): Promise<string[]> {
  const names = (await readdir(MIGRATIONS))
    .filter((file) => file.endsWith('.sql'))
    .map((file) => file.slice(0, -'.sql'.length));
  const { rows } = await client.query<{ is_there: boolean }>(
    `SELECT to_regclass('migrations') IS NOT NULL AS is_there`,
  );
  if (rows[0]?.is_there !== true) return names.toSorted();
  const done = await client.query<{ name: string }>('SELECT name FROM migrations');
  return names.filter((name) => !done.rows.some((row) => row.name === name)).toSorted();
}
