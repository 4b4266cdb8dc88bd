import { clickHouseVariables } from '@cellarman/clickhouse';
import { flag, integer, port, readConfig, text } from '@cellarman/config';
import { DEAD_LETTER_TOPIC, READINGS_TOPIC } from '@cellarman/contracts';
import { keyServiceVariables } from '@cellarman/key-service-client';
import { kafkaConflicts, kafkaVariables } from '@cellarman/kafka';
import { telemetryVariables } from '@cellarman/telemetry';
import {
  authoritiesVariable,
  certificateConflicts,
  clickHouseCertificateConflicts,
  tlsVariables,
} from '@cellarman/tls';
import { Type } from '@sinclair/typebox';
import type { Static } from '@sinclair/typebox';

const kafka = {
  ...kafkaVariables,
  READINGS_TOPIC: text({ default: READINGS_TOPIC, description: 'The topic with the readings.' }),
  DEAD_LETTER_TOPIC: text({
    default: DEAD_LETTER_TOPIC,
    description: 'The topic for messages that are not valid readings.',
  }),
  TOPIC_PARTITIONS: integer({
    minimum: 1,
    default: 6,
    description:
      'Partitions of the readings topic. `sink migrate` adds those that are missing, which moves keys to other partitions.',
  }),
  TOPIC_RETENTION_HOURS: integer({
    minimum: 24,
    default: 168,
    description:
      'Minimum retention of the readings topic, in hours. `sink migrate` lengthens a shorter one and never shortens one.',
  }),
  TOPIC_RETENTION_GIB: integer({
    minimum: 0,
    default: 0,
    description:
      'Maximum size of a partition of the readings topic, in GiB. Kafka then deletes the oldest messages, stored or not; 0 disables the limit.',
  }),
  TOPIC_REPLICATION_FACTOR: integer({ minimum: 1, default: 3, description: 'Replicas of each partition.' }),
  TOPIC_MIN_INSYNC_REPLICAS: integer({
    minimum: 1,
    default: 2,
    description: 'Replicas that must have a reading before it is acknowledged.',
  }),
  ALLOW_WEAK_TOPIC: flag({
    default: false,
    description:
      'true accepts topics with fewer than 3 replicas or 2 in sync, where one broken disk can lose readings.',
  }),
};

const clickhouse = clickHouseVariables({
  database: 'The database with the readings. `sink migrate` creates it if it does not exist.',
  user: 'ClickHouse user.',
});

const batches = {
  BATCH_MAX_ROWS: integer({
    minimum: 1,
    maximum: 1_000_000,
    default: 50_000,
    description: 'Maximum number of readings in one insert.',
  }),
  BATCH_MAX_BYTES: integer({
    minimum: 1_024,
    default: 16 * 1024 * 1024,
    description:
      'Maximum size of the readings in one insert, in bytes. The sink needs about four times as much memory.',
  }),
  BATCH_MAX_WAIT_MS: integer({
    minimum: 0,
    maximum: 60_000,
    default: 600,
    description:
      'Maximum interval between inserts while there is no backlog, in milliseconds. It is shorter, down to 150, the more readings arrive. A lower value shows readings sooner, but creates more parts.',
  }),
  INSERTS_IN_FLIGHT: integer({
    minimum: 1,
    maximum: 16,
    default: 2,
    description: 'Number of concurrent inserts.',
  }),
  MAX_BAD_ROWS_IN_A_ROW: integer({
    minimum: 0,
    default: 1_000,
    description: 'The sink stops after more consecutive invalid messages than this; 0 disables the limit.',
  }),
};

const retention = {
  ...keyServiceVariables('sink'),
  RETENTION_POLL_INTERVAL_MS: integer({
    minimum: 100,
    default: 1_000,
    description: 'Interval for polling the retention policy, in milliseconds.',
  }),
  RETENTION_MATERIALIZE_INTERVAL_SECONDS: integer({
    minimum: 0,
    default: 600,
    description: 'Interval for applying a shorter retention to stored parts, in seconds.',
  }),
  COUNTS_SETTLE_DELAY_SECONDS: integer({
    minimum: 60,
    default: 900,
    description:
      'Delay after the end of an hour before the hourly rollup counts it and it is verified, in seconds. Must exceed the clock differences.',
  }),
};

const verification = {
  VERIFY_HOURS: flag({
    default: true,
    description: 'Verifies each completed hour of the last day against the topic, in the background.',
  }),
  VERIFY_INTERVAL_SECONDS: integer({
    minimum: 1,
    default: 3_600,
    description: 'Interval for checking that a verified hour is unchanged in ClickHouse, in seconds.',
  }),
  VERIFY_MESSAGES_PER_SECOND: integer({
    minimum: 1,
    default: 20_000,
    description:
      'Messages read per second to verify an hour. An hour takes 1.5 times its messages: set at least twice the average rate of readings.',
  }),
};

const service = {
  HOST: text({ default: '127.0.0.1', description: 'IP address for /livez, /readyz and /metrics.' }),
  PORT: port({ default: 4200, description: 'Port for /livez, /readyz and /metrics; 0 selects a free port.' }),
  CONSUMER_GROUP: text({
    default: 'cellarman-sink',
    description: 'Consumer group; sinks in the same group share the partitions.',
  }),
  DEREGISTRATION_DELAY_MS: integer({
    minimum: 0,
    default: 0,
    description: 'How long the probes keep responding after SIGTERM, in milliseconds.',
  }),
  SHUTDOWN_DEADLINE_MS: integer({
    minimum: 1_000,
    default: 20_000,
    description:
      'Deadline for a graceful stop, in milliseconds. Readings that are not stored by then are consumed again.',
  }),
};

export const configSchema = Type.Object({
  ...service,
  ...kafka,
  ...clickhouse,
  ...batches,
  ...retention,
  ...verification,
  ...telemetryVariables,
  ...tlsVariables,
});
export type Config = Static<typeof configSchema>;

/** `sink migrate` needs no key-service. */
export const migrateConfigSchema = Type.Object({
  ...kafka,
  ...clickhouse,
  ...telemetryVariables,
  ...authoritiesVariable,
});
export type MigrateConfig = Static<typeof migrateConfigSchema>;

export function loadConfig(env = process.env): Config {
  return readConfig({
    service: 'sink',
    schema: configSchema,
    env,
    conflicts: (config) => [...storageConflicts(config), ...certificateConflicts(config, 'TLS')],
  });
}

export function loadMigrateConfig(env = process.env): MigrateConfig {
  return readConfig({
    service: 'sink migrate',
    schema: migrateConfigSchema,
    env,
    conflicts: storageConflicts,
  });
}

function storageConflicts(config: MigrateConfig): string[] {
  return [...kafkaConflicts(config), ...clickHouseCertificateConflicts(config)];
}
