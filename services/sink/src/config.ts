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
  READINGS_TOPIC: text({ default: READINGS_TOPIC, description: 'The topic that readings come from.' }),
  DEAD_LETTER_TOPIC: text({
    default: DEAD_LETTER_TOPIC,
    description: 'The topic for messages that are no readings.',
  }),
  TOPIC_PARTITIONS: integer({
    minimum: 1,
    default: 6,
    description: 'Partitions of the readings topic when it is made. Adding some later moves keys.',
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
      'true accepts topics with fewer than 3 replicas or 2 in sync. Then one broken disk can lose readings.',
  }),
};

const clickhouse = clickHouseVariables({
  database: 'The database with the readings. `sink migrate` creates it if it does not exist.',
  user: 'User of ClickHouse.',
});

const batches = {
  BATCH_MAX_ROWS: integer({
    minimum: 1,
    maximum: 1_000_000,
    default: 50_000,
    description: 'Readings in one insert at most.',
  }),
  BATCH_MAX_BYTES: integer({
    minimum: 1_024,
    default: 16 * 1024 * 1024,
    description: 'Bytes of readings in one insert at most. Memory holds about four times as much.',
  }),
  BATCH_MAX_WAIT_MS: integer({
    minimum: 0,
    maximum: 60_000,
    default: 150,
    description:
      'Milliseconds between two inserts while there is no backlog. Less shows readings sooner and makes more parts.',
  }),
  INSERTS_IN_FLIGHT: integer({
    minimum: 1,
    maximum: 16,
    default: 2,
    description: 'Inserts at the same time.',
  }),
  MAX_BAD_ROWS_IN_A_ROW: integer({
    minimum: 0,
    default: 1_000,
    description:
      'More bad messages than this without a good one between them stop the sink; 0 never stops it.',
  }),
};

const retention = {
  ...keyServiceVariables('sink'),
  RETENTION_POLL_INTERVAL_MS: integer({
    minimum: 100,
    default: 1_000,
    description: 'Milliseconds between two questions for the retention policy.',
  }),
  RETENTION_MATERIALIZE_INTERVAL_SECONDS: integer({
    minimum: 0,
    default: 600,
    description: 'Seconds between two runs that tell stored parts a shorter retention.',
  }),
  COUNTS_SETTLE_DELAY_SECONDS: integer({
    minimum: 60,
    default: 900,
    description:
      'Seconds after the end of an hour until its readings are counted for charts of long times. More than clocks differ.',
  }),
};

const service = {
  HOST: text({ default: '127.0.0.1', description: 'Address that /livez, /readyz and /metrics listen on.' }),
  PORT: port({ default: 4200, description: 'Port that they listen on; 0 lets the system choose.' }),
  CONSUMER_GROUP: text({
    default: 'cellarman-sink',
    description: 'Consumer group; sinks with the same one share the work.',
  }),
  DEREGISTRATION_DELAY_MS: integer({
    minimum: 0,
    default: 0,
    description: 'Milliseconds that the probes go on answering after a stop began.',
  }),
  SHUTDOWN_DEADLINE_MS: integer({
    minimum: 1_000,
    default: 20_000,
    description: 'Milliseconds that a stop may take. What is not stored by then is read again.',
  }),
};

export const configSchema = Type.Object({
  ...service,
  ...kafka,
  ...clickhouse,
  ...batches,
  ...retention,
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
