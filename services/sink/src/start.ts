import { setTimeout as delay } from 'node:timers/promises';
import { clickHouseAccess, connectClickHouse } from '@cellarman/clickhouse';
import { createKafkaProducer, isConsumedUntil, kafkaAccess } from '@cellarman/kafka';
import type { KafkaConnection } from '@cellarman/kafka';
import { createKeyServiceClient, keyServiceAccess } from '@cellarman/key-service-client';
import type { Service, Step } from '@cellarman/lifecycle';
import packageJson from '../package.json' with { type: 'json' };
import { loadConfig } from './config.ts';
import type { Config } from './config.ts';
import type { Consumption } from './consume/consume.ts';
import { followDeadLetters } from './replay/follow-dead-letters.ts';
import { replayDeadLetters } from './replay/replay-dead-letters.ts';
import { reportSinkHealth } from './health/report-health.ts';
import { watchPartitions } from './health/watch-partitions.ts';
import type { PartitionWatch } from './health/watch-partitions.ts';
import { createMetrics, observeSink } from './metrics.ts';
import { followPolicy } from './retention/follow-policy.ts';
import { startHourlyRollup } from './hourly-rollup/hourly-rollup.ts';
import { startClickHouse } from './start-clickhouse.ts';
import { startConsumption } from './start-consumption.ts';
import { startKafka } from './start-kafka.ts';
import { verifyHours } from './verify-hours/verify-hours.ts';

const KEY_SERVICE_TIMEOUT_MS = 5_000;
/** Of the stop's deadline, this much is kept for leaving the group and closing connections. */
const CLOSE_MS = 5_000;

export const sink = {
  name: 'sink',
  version: packageJson.version,
  parts: ['clickhouse', 'kafka'],
  operationsPort: (config: Config) => config.PORT,
  loadConfig,
  start,
};

/** Waits for ClickHouse and Kafka, then consumes. */
async function start({ config, telemetry, logger, readiness, fail }: Service<Config>) {
  const keyService = createKeyServiceClient({
    ...keyServiceAccess(config),
    timeoutMs: KEY_SERVICE_TIMEOUT_MS,
  });
  const metrics = createMetrics(telemetry.meter);
  const running: { consumption?: Consumption; partitions?: PartitionWatch } = {};
  const health = reportSinkHealth({
    ...{ keyService, version: packageJson.version, readiness, metrics, logger },
    consumption: () => running.consumption,
    partitions: () => running.partitions,
  });

  const clickhouse = connectClickHouse({ ...clickHouseAccess(config), application: 'cellarman-sink' });
  await startClickHouse({ clickhouse, readiness, logger });

  const connection: KafkaConnection = { ...kafkaAccess(config), clientId: 'cellarman-sink', logger };
  await startKafka({ connection, config, readiness, logger });
  const producer = createKafkaProducer({ connection, topics: [config.DEAD_LETTER_TOPIC] });
  await producer.connect();

  const retention = followPolicy({
    clickhouse,
    keyService,
    logger,
    intervalMs: config.RETENTION_POLL_INTERVAL_MS,
    materializeIntervalSeconds: config.RETENTION_MATERIALIZE_INTERVAL_SECONDS,
  });

  const consuming = await startConsumption({
    config,
    connection,
    producer,
    clickhouse,
    readiness,
    telemetry,
    metrics,
  });
  running.consumption = consuming;
  consuming.done.catch((error: unknown) => fail('the consumer ended by itself', error));
  const { READINGS_TOPIC: topic, CONSUMER_GROUP: groupId } = config;
  const hourly = {
    clickhouse,
    isStoredUntil: (moment: Date) =>
      isConsumedUntil(connection, { topic, groupId, timestampMs: moment.getTime() }),
    // Every topic has this partition, and one sink of the group owns it.
    isMine: () => consuming.lag().has(0),
    logger,
    delayMs: config.COUNTS_SETTLE_DELAY_SECONDS * 1_000,
  };
  const counts = startHourlyRollup(hourly);
  const verification = !config.VERIFY_HOURS
    ? undefined
    : verifyHours({
        ...hourly,
        topic: { connection, topic, groupId },
        deadLetterTopic: config.DEAD_LETTER_TOPIC,
        intervalMs: config.VERIFY_INTERVAL_SECONDS * 1_000,
        messagesPerSecond: config.VERIFY_MESSAGES_PER_SECOND,
      });
  const watch = watchPartitions({ connection, topic, groupId, isMine: hourly.isMine, logger });
  running.partitions = watch;
  observeSink(telemetry.meter, {
    ...{ consumption: consuming, retention, rollup: counts, verification, partitions: watch },
  });
  const deadLetters = followDeadLetters({
    ...{
      connection,
      topic: config.DEAD_LETTER_TOPIC,
      groupId: `${groupId}-dead-letters`,
      keyService,
      logger,
    },
  });
  const replays = replayDeadLetters({ clickhouse, keyService, isMine: hourly.isMine, logger });

  async function stop(step: Step): Promise<void> {
    const { gathered, inFlight } = consuming.stats();
    await step(
      'readings',
      () => consuming.stop(Math.max(0, config.SHUTDOWN_DEADLINE_MS - CLOSE_MS)),
      () => `${gathered} gathered messages and ${inFlight} inserts`,
    );
    await step('retention', () => retention.stop());
    await step('counts', () => counts.stop());
    await step('dead letters', () => Promise.all([deadLetters.stop(), replays.stop()]));
    await step('health', () => Promise.all([health.stop(), watch.stop()]));
    await step('verification', async () => verification?.stop());
    await step('kafka', () => producer.disconnect());
    await step('clickhouse', () => clickhouse.close());
    await step('http', () => delay(config.DEREGISTRATION_DELAY_MS));
  }
  return { stop };
}
