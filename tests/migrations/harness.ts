import { randomBytes } from 'node:crypto';
import { createTopicAdmin, silentLogger } from '@cellarman/kafka';
import { clickhouseLogin, clickhouseVariables } from '@cellarman/local-stack';
import type { EngineUrls } from '@cellarman/local-stack';
import { ClickHouseLogLevel, createClient } from '@clickhouse/client';
import type { ClickHouseClient } from '@clickhouse/client';
import { createTestDatabase } from '../../services/key-service/tests/test-database.ts';
import { migrate, startService } from './service-process.ts';
import type { ServiceName, ServiceProcess } from './service-process.ts';
import { startSwitch } from './switch.ts';
import type { Switch } from './switch.ts';
import type { Version } from './version-before.ts';

export const ADMIN = { email: 'admin@example.com', password: 'correct horse battery staple' };

/** Tables, topics and names of its own on the running engines, for services of any version. */
export interface Harness {
  /** Where all services look for key-service. */
  keyService: Switch;
  clickhouse: ClickHouseClient;
  migrate(version: Version): Promise<void>;
  migrateTables(version: Version): Promise<void>;
  start(version: Version, service: ServiceName, more?: Record<string, string>): Promise<ServiceProcess>;
  close(): Promise<void>;
}

export async function openHarness(engines: EngineUrls): Promise<Harness> {
  const id = randomBytes(5).toString('hex');
  const postgres = await createTestDatabase(engines.databaseUrl);
  const keyService = await startSwitch();
  const topics = { READINGS_TOPIC: `upgrade-${id}`, DEAD_LETTER_TOPIC: `upgrade-${id}.dead-letter` };
  const database = `upgrade_${id}`;
  const common = {
    LOG_LEVEL: 'warn',
    DEREGISTRATION_DELAY_MS: '0',
    INTERNAL_TOKEN: 'internal-token-of-the-tests',
    KEY_SERVICE_URL: keyService.url,
    KAFKA_BROKERS: engines.kafkaBrokers.join(','),
    ...topics,
    REDIS_URL: engines.redisUrl,
    ...clickhouseVariables(engines),
    CLICKHOUSE_DATABASE: database,
  };
  const env: Record<ServiceName, Record<string, string>> = {
    ingest: common,
    query: common,
    'key-service': {
      ...common,
      DATABASE_URL: postgres.url,
      REDIS_PREFIX: `upgrade:${id}:`,
      ADMIN_EMAIL: ADMIN.email,
      ADMIN_PASSWORD: ADMIN.password,
    },
    sink: {
      ...common,
      CONSUMER_GROUP: `upgrade-${id}`,
      TOPIC_PARTITIONS: '2',
      TOPIC_REPLICATION_FACTOR: '1',
      TOPIC_MIN_INSYNC_REPLICAS: '1',
      ALLOW_WEAK_TOPIC: 'true',
    },
  };
  const clickhouse = createClient({
    ...clickhouseLogin(engines),
    database,
    log: { level: ClickHouseLogLevel.OFF },
  });
  const processes: ServiceProcess[] = [];

  return {
    keyService,
    clickhouse,
    async migrate(version) {
      await Promise.all([
        migrate(version, 'key-service', env['key-service']),
        migrate(version, 'sink', env.sink),
      ]);
    },
    migrateTables: (version) => migrate(version, 'sink', env.sink),
    async start(version, service, more) {
      const process = await startService(version, service, { ...env[service], ...more });
      processes.push(process);
      return process;
    },
    async close() {
      await Promise.all(processes.map((process) => process.stop()));
      await keyService.close();
      await clickhouse.command({ query: `DROP DATABASE IF EXISTS ${database}` });
      await clickhouse.close();
      await postgres.stop();
      const admin = createTopicAdmin({
        brokers: engines.kafkaBrokers,
        clientId: 'upgrade',
        logger: silentLogger,
      });
      for (const topic of Object.values(topics)) await admin.delete(topic);
    },
  };
}
