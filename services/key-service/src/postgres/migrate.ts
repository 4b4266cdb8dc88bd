import { runner } from 'node-pg-migrate';
import type { Logger } from '@cellarman/telemetry';

/**
 * Brings the schema up to date. Replicas that start together wait for one another at an advisory lock.
 *
 * @returns the names of the migrations that were run
 */
export async function migrate(databaseUrl: string, logger: Logger): Promise<string[]> {
  const done = await runner({
    databaseUrl: { connectionString: databaseUrl, application_name: 'key-service migrate' },
    dir: `${import.meta.dirname}/../../migrations`,
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
  if (names.length > 0) logger.info({ migrations: names }, 'the database schema was brought up to date');
  return names;
}
