import { clickHouseAccess, connectClickHouse } from '@cellarman/clickhouse';
import type { ClickHouse } from '@cellarman/clickhouse';
import { createTopicAdmin, kafkaAccess } from '@cellarman/kafka';
import { createLogger } from '@cellarman/telemetry';
import packageJson from '../../package.json' with { type: 'json' };
import type { MigrateConfig } from '../config.ts';
import { migrateTables } from './migrate-tables.ts';
import { adaptTopics, awaitSafeTopics, createTopics } from './migrate-topics.ts';

/** A migration may copy a large table. */
const LONGEST_STATEMENT_MS = 24 * 3_600_000;

/** Creates what the sink needs, in Kafka and in ClickHouse. It can run repeatedly and concurrently. */
export async function migrate(config: MigrateConfig): Promise<undefined> {
  const logger = createLogger({ service: 'sink', version: packageJson.version, level: config.LOG_LEVEL });
  const topics = createTopicAdmin({ ...kafkaAccess(config), clientId: 'cellarman-sink-migrate', logger });
  const made = await createTopics(topics, config);
  logger.info({ made }, made.length > 0 ? 'created topics' : 'all topics exist');
  let changed: string[] = [];
  try {
    changed = await adaptTopics(topics, config);
    if (changed.length > 0) logger.info({ changed }, 'changed topics');
  } catch (error) {
    // The check below decides whether the topics are good enough as they are.
    logger.warn({ err: error }, 'the topics cannot be changed');
  }
  await awaitSafeTopics(topics, config, { isChanged: changed.length > 0 });

  const connect = (database: string): ClickHouse =>
    connectClickHouse({
      ...clickHouseAccess(config),
      database,
      application: 'cellarman-sink',
      requestTimeoutMs: LONGEST_STATEMENT_MS,
    });
  // A connection that names a database is rejected until it exists.
  const server = connect('default');
  await server.command({ query: `CREATE DATABASE IF NOT EXISTS ${config.CLICKHOUSE_DATABASE}` });
  await server.close();

  const clickhouse = connect(config.CLICKHOUSE_DATABASE);
  const applied = await migrateTables(clickhouse, {
    log: ({ number, name }) => logger.info({ number, name }, 'applied a migration'),
  });
  await clickhouse.close();
  logger.info({ applied }, applied.length > 0 ? 'migrated the tables' : 'the tables are up to date');
}
