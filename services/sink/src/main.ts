import { createKafkaProducer, isConsumedUntil, kafkaAccess } from '@cellarman/kafka';
import type { KafkaConnection } from '@cellarman/kafka';
import { createReadiness, gracefulHttpStop, runMain } from '@cellarman/lifecycle';
import type { Running } from '@cellarman/lifecycle';
import { startTelemetry } from '@cellarman/telemetry';
import { certificateFiles, observeCertificates, serverTls } from '@cellarman/tls';
import packageJson from '../package.json' with { type: 'json' };
import { startApp } from './app.ts';
import { connectClickHouse } from './clickhouse.ts';
import { loadConfig, loadMigrateConfig } from './config.ts';
import type { Config } from './config.ts';
import { serveHealth } from './health.ts';
import { observeHourlyCounts } from './metrics.ts';
import { migrate } from './migrate/migrate.ts';
import { createPolicyFetcher } from './retention/fetch-policy.ts';
import { followPolicy } from './retention/follow-policy.ts';
import { startClickHouse } from './start-clickhouse.ts';
import { settleCounts } from './settle-counts/settle-counts.ts';
import { startKafka } from './start-kafka.ts';

/** Of the stop's deadline, this much is kept for leaving the group and closing connections. */
const CLOSE_MS = 5_000;

if (process.argv.includes('migrate')) {
  await runMain({
    name: 'sink migrate',
    loadConfig: loadMigrateConfig,
    start: async (config) => {
      await migrate(config);
      return undefined;
    },
    authorities: (config) => config.NODE_EXTRA_CA_CERTS,
    deadlineMs: 60_000,
  });
} else {
  await runMain({
    name: 'sink',
    loadConfig,
    start,
    authorities: (config) => config.NODE_EXTRA_CA_CERTS,
    deadlineMs: (config) => config.SHUTDOWN_DEADLINE_MS,
  });
}

async function start(
  config: Config,
  { fail }: { fail: (message: string, error?: unknown) => void },
): Promise<Running> {
  const telemetry = await startTelemetry({ service: 'sink', version: packageJson.version, config });
  const { logger } = telemetry;
  const readiness = createReadiness({
    parts: ['clickhouse', 'kafka'],
    onChange: (part, report) =>
      logger.info({ part, ...report }, `${part} is ${report.ready ? '' : 'not '}ready`),
  });
  observeCertificates(telemetry.meter, config);
  const http = await serveHealth({
    host: config.HOST,
    port: config.PORT,
    tls: serverTls(config, logger),
    readiness,
    telemetry,
  });

  const clickhouse = connectClickHouse({
    url: config.CLICKHOUSE_URL,
    database: config.CLICKHOUSE_DATABASE,
    user: config.CLICKHOUSE_USER,
    password: config.CLICKHOUSE_PASSWORD,
    certificate: certificateFiles(config, 'CLICKHOUSE_TLS'),
  });
  await startClickHouse({ clickhouse, readiness, logger });

  const connection: KafkaConnection = { ...kafkaAccess(config), clientId: 'cellarman-sink', logger };
  await startKafka({ connection, config, readiness, logger });
  const producer = createKafkaProducer({ connection, topics: [config.DEAD_LETTER_TOPIC] });
  await producer.connect();

  const retention = followPolicy({
    clickhouse,
    fetchPolicy: createPolicyFetcher({
      keyServiceUrl: config.KEY_SERVICE_URL,
      internalToken: config.INTERNAL_TOKEN,
    }),
    logger,
    intervalMs: config.RETENTION_POLL_INTERVAL_MS,
    materializeIntervalSeconds: config.RETENTION_MATERIALIZE_INTERVAL_SECONDS,
  });

  const consumption = await startApp({
    config,
    connection,
    producer,
    clickhouse,
    retention,
    readiness,
    telemetry,
  });
  consumption.done.catch((error: unknown) => fail('the consumer ended by itself', error));
  const { READINGS_TOPIC: topic, CONSUMER_GROUP: groupId } = config;
  const counts = settleCounts({
    clickhouse,
    isStoredUntil: (moment) => isConsumedUntil(connection, { topic, groupId, timestampMs: moment.getTime() }),
    // Every topic has this partition, and one sink of the group owns it.
    isMine: () => consumption.lag().has(0),
    logger,
    delayMs: config.COUNTS_SETTLE_DELAY_SECONDS * 1_000,
  });
  observeHourlyCounts(telemetry.meter, counts);
  logger.info({}, 'the sink runs');

  return {
    logger,
    async stop(_signal, step) {
      const { gathered = 0, inFlight = 0 } = consumption.pipeline()?.stats() ?? {};
      await step(
        'readings',
        () => consumption.stop(Math.max(0, config.SHUTDOWN_DEADLINE_MS - CLOSE_MS)),
        () => `${gathered} gathered messages and ${inFlight} inserts`,
      );
      await step('retention', () => retention.stop());
      await step('counts', () => counts.stop());
      await step('kafka', () => producer.disconnect());
      await step('clickhouse', () => clickhouse.close());
      await step('http', () =>
        gracefulHttpStop(http, { readiness, deregistrationDelayMs: config.DEREGISTRATION_DELAY_MS }),
      );
      await step('telemetry', () => telemetry.stop());
    },
  };
}
