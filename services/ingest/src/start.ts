import { promisify } from 'node:util';
import { createKafkaProducer, createLanes, kafkaAccess } from '@cellarman/kafka';
import { createKeyServiceClient, keyServiceAccess } from '@cellarman/key-service-client';
import { observeGauges } from '@cellarman/telemetry';
import { gracefulHttpStop, stopTimes } from '@cellarman/lifecycle';
import type { Service, Step } from '@cellarman/lifecycle';
import { certificateFiles } from '@cellarman/tls';
import packageJson from '../package.json' with { type: 'json' };
import { createApp } from './app.ts';
import { loadConfig } from './config.ts';
import type { Config } from './config.ts';
import { createKeys } from './key-cache/keys.ts';
import { createLastUsed } from './key-cache/last-used.ts';
import { createMetrics } from './metrics.ts';
import { createLimiter } from './rate-limit/limiter.ts';
import { observeLeases } from './rate-limit/observe-leases.ts';
import { createRedisLeases } from './rate-limit/redis-leases.ts';
import { createRejectionCounts } from './rejections/rejection-counts.ts';
import { createRejectionReports } from './rejections/rejection-reports.ts';
import { reportIngestHealth } from './report-health.ts';
import { createServerClock } from './server-clock.ts';
import { createSaturation } from './shed-load/saturation.ts';
import { createPassTraceOn, createStartTrace } from './trace.ts';
import { watchTopic } from './watch-topic.ts';

const KEY_SERVICE_TIMEOUT_MS = 1_000;
/** Guesses at keys come without end. Each request costs each side a millisecond of CPU or two, a key in it little. */
const LOOKUP_INTERVAL_MS = 100;
/** Keys times codes times fields that wait for key-service, about 200 bytes each. */
const MAX_REJECTION_KINDS = 20_000;
/** Of the stop's deadline, kept for closing connections when every reading has its acknowledgement. */
const CLOSE_MS = 3_000;

export const ingest = {
  name: 'ingest',
  version: packageJson.version,
  parts: ['kafka', 'keys', 'http'],
  // Devices are strangers: they do not decide what is recorded.
  trustRemoteParent: false,
  operationsPort: (config: Config) => config.OPERATIONS_PORT,
  loadConfig,
  start,
};

/** Connects the parts and listens. It starts without Kafka, Redis and key-service too, and is ready when they are. */
async function start(service: Service<Config>) {
  const { config, telemetry, logger, readiness, tls } = service;
  const { meter } = telemetry;
  const metrics = createMetrics(meter);

  const topic = config.READINGS_TOPIC;
  const producer = createKafkaProducer({
    connection: { ...kafkaAccess(config), clientId: 'cellarman-ingest', logger },
    topics: [topic],
    compression: config.PRODUCER_COMPRESSION,
  });
  const lanes = createLanes({
    producer,
    topic,
    limits: { maxInFlightBytes: config.MAX_IN_FLIGHT_BYTES },
    deadlineMs: config.ACK_DEADLINE_MS,
    lingerMs: config.PRODUCER_LINGER_MS,
    observer: { onSend: metrics.sent },
  });
  const topicWatch = watchTopic({ producer, topic, readiness });

  const keyService = createKeyServiceClient({
    ...keyServiceAccess(config),
    timeoutMs: KEY_SERVICE_TIMEOUT_MS,
    lookupIntervalMs: LOOKUP_INTERVAL_MS,
  });
  const lastUsed = createLastUsed({ keyService, intervalMs: config.LAST_USED_INTERVAL_MS, logger });
  const keys = createKeys({
    keyService,
    pullIntervalMs: config.KEY_PULL_INTERVAL_MS,
    staleMaxMs: config.KEY_STALE_MAX_SECONDS * 1_000,
    maxKeys: config.KEY_CACHE_SIZE,
    logger,
    onPulled: (error) => {
      if (error === undefined) readiness.set('keys', true);
    },
    onDrop: (key) => lastUsed.keep(key),
  });
  keys.start();
  lastUsed.follow(() => keys.known());
  const rejections = createRejectionCounts({ maxKinds: MAX_REJECTION_KINDS });
  const rejectionReports = createRejectionReports({
    keyService,
    counts: rejections,
    intervalMs: config.REJECTIONS_INTERVAL_MS,
    logger,
  });

  const leases = observeLeases(
    meter,
    createRedisLeases({
      url: config.REDIS_URL,
      certificate: certificateFiles(config, 'REDIS_TLS'),
      logger,
    }),
  );
  const limiter = createLimiter({
    leases,
    replicas: config.INGEST_REPLICAS,
    maxKeys: config.KEY_CACHE_SIZE,
    logger,
  });

  const saturation = createSaturation(config);
  const app = createApp({
    config,
    tls,
    keys,
    limiter,
    lanes,
    replicasOf: (partition) => producer.replicas(topic, partition),
    clock: createServerClock(),
    startTrace: telemetry.isTracing ? createStartTrace(telemetry) : createPassTraceOn(telemetry.extract),
    saturation,
    rejections,
    readiness,
    metrics,
    telemetry,
  });
  const connections = promisify(app.server.getConnections.bind(app.server));
  observeGauges(meter, 'cellarman_ingest_', {
    waiting_bytes: [
      'Memory of the readings that wait to be sent to Kafka or acknowledged.',
      () => lanes.stats().heldBytes,
    ],
    failing_partitions: ['Partitions whose last send failed.', () => lanes.stats().failing.length],
    cached_keys: ['API keys in memory.', () => keys.size],
    keys_age_seconds: [
      'How long ago the last successful pull of key changes began.',
      () => keys.ageMs() / 1_000,
    ],
    connections: ['Open connections of clients.', connections],
    connections_limit: ['MAX_CONNECTIONS.', () => config.MAX_CONNECTIONS],
    in_flight: [
      'Readings and batches that were received and have no response yet.',
      () => saturation.slots.taken,
    ],
    in_flight_limit: [
      'The current limit of readings and batches in flight. It falls under overload.',
      () => saturation.limit.limit,
    ],
    in_flight_max: ['MAX_IN_FLIGHT_REQUESTS.', () => config.MAX_IN_FLIGHT_REQUESTS],
    waiting_bytes_limit: ['MAX_IN_FLIGHT_BYTES.', () => config.MAX_IN_FLIGHT_BYTES],
    body_bytes_limit: ['MAX_BODIES_BYTES.', () => config.MAX_BODIES_BYTES],
    rejection_pause_seconds: [
      'How long a connection that ignores Retry-After is not read. Above 0: rejections take too much CPU time.',
      () => saturation.pace.pauseMs / 1_000,
    ],
    body_bytes: [
      'Memory reserved for request bodies and for processing batches.',
      () => saturation.bodies.reservedBytes,
    ],
  });
  const url = await app.listen({ host: config.HOST, port: config.PORT });
  const health = reportIngestHealth({
    ...{ keyService, version: packageJson.version, readiness, logger, metrics },
    lanes: () => lanes.stats(),
  });

  /** Readings that requests still wait for have been acknowledged or have failed before the connections close. */
  async function stop(step: Step): Promise<void> {
    topicWatch.stop();
    const times = stopTimes(config, config.ACK_DEADLINE_MS + CLOSE_MS);
    await step('http', () => gracefulHttpStop(app, { readiness, ...times }));
    await step(
      'readings',
      () => lanes.close(config.ACK_DEADLINE_MS),
      () => `${lanes.stats().waitingMessages} readings not acknowledged`,
    );
    keys.stop();
    await step('last uses of keys, rejections, health', () =>
      Promise.all([lastUsed.stop(), rejectionReports.stop(), health.stop()]),
    );
    leases.close();
    await step('kafka', () => producer.disconnect());
  }
  return { url, stop };
}
