import { promisify } from 'node:util';
import { createKafkaProducer, createLanes, kafkaAccess } from '@cellarman/kafka';
import { createOperationsApp, createReadiness } from '@cellarman/lifecycle';
import type { Running } from '@cellarman/lifecycle';
import { startTelemetry } from '@cellarman/telemetry';
import { certificateFiles, observeCertificates, serverTls } from '@cellarman/tls';
import packageJson from '../package.json' with { type: 'json' };
import { buildApp } from './app.ts';
import type { Config } from './config.ts';
import { createKeyService } from './key-cache/key-service.ts';
import { createKeys } from './key-cache/keys.ts';
import { createLastUsed } from './key-cache/last-used.ts';
import { createMetrics, observeIngest } from './metrics.ts';
import { createLimiter } from './rate-limit/limiter.ts';
import { observeLeases } from './rate-limit/observe-leases.ts';
import { createRedisLeases } from './rate-limit/redis-leases.ts';
import { createRefusalCounts } from './refusals/refusal-counts.ts';
import { createRefusalReports } from './refusals/refusal-reports.ts';
import { createServerClock } from './server-clock.ts';
import { createSaturation } from './shed-load/saturation.ts';
import { stopInOrder } from './stop.ts';
import { createPassTraceOn, createStartTrace } from './trace.ts';
import { watchTopic } from './watch-topic.ts';

const KEY_SERVICE_TIMEOUT_MS = 1_000;
/** Keys times codes times fields that wait for key-service, about 200 bytes each. */
const MAX_REFUSAL_KINDS = 20_000;

export interface RunningIngest extends Running {
  /** Where the HTTP API is: `http://127.0.0.1:8080`. */
  address: string;
}

/** Connects the parts and listens. It starts without Kafka, Redis and key-service too, and is ready when they are. */
export async function startIngest(config: Config): Promise<RunningIngest> {
  const telemetry = await startTelemetry({
    service: 'ingest',
    version: packageJson.version,
    config,
    // Devices are strangers: they do not decide what is recorded.
    trustRemoteParent: false,
  });
  const { logger, meter } = telemetry;
  const metrics = createMetrics(meter);
  const readiness = createReadiness({
    parts: ['kafka', 'keys'],
    onChange: (part, report) =>
      logger.info({ part, ...report }, `${part} is ${report.ready ? '' : 'not '}ready`),
  });

  const topic = config.READINGS_TOPIC;
  const producer = createKafkaProducer({
    connection: { ...kafkaAccess(config), clientId: 'cellarman-ingest', logger },
    topics: [topic],
  });
  const lanes = createLanes({
    producer,
    topic,
    limits: { maxInFlightBytes: config.MAX_IN_FLIGHT_BYTES },
    deadlineMs: config.ACK_DEADLINE_MS,
    observer: { onSend: metrics.sent },
  });
  const topicWatch = watchTopic({ producer, topic, readiness });

  const keyService = createKeyService({
    url: config.KEY_SERVICE_URL,
    token: config.INTERNAL_TOKEN,
    timeoutMs: KEY_SERVICE_TIMEOUT_MS,
  });
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
  const lastUsed = createLastUsed({
    keyService,
    known: () => keys.known(),
    intervalMs: config.LAST_USED_INTERVAL_MS,
    logger,
  });
  keys.start();
  lastUsed.start();
  const refusals = createRefusalCounts({ maxKinds: MAX_REFUSAL_KINDS });
  const refusalReports = createRefusalReports({
    keyService,
    counts: refusals,
    intervalMs: config.REFUSALS_INTERVAL_MS,
    logger,
  });
  refusalReports.start();

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
  const tls = serverTls(config, logger);
  observeCertificates(meter, config);
  const app = buildApp({
    config,
    tls,
    keys,
    limiter,
    lanes,
    clock: createServerClock(),
    startTrace: telemetry.isTracing ? createStartTrace(telemetry) : createPassTraceOn(telemetry.extract),
    saturation,
    refusals,
    readiness,
    metrics,
    telemetry,
  });
  observeIngest(meter, {
    lanes: () => lanes.stats(),
    keys: () => keys.size,
    keysAgeMs: () => keys.ageMs(),
    inFlight: () => saturation.places.taken,
    inFlightLimit: () => saturation.limit.limit,
    refusalPauseMs: () => saturation.pace.pauseMs,
    bodyBytes: () => saturation.bodies.reservedBytes,
    connections: promisify(app.server.getConnections.bind(app.server)),
  });
  const operations =
    config.OPERATIONS_PORT === undefined
      ? undefined
      : createOperationsApp({ readiness, metricsText: telemetry.metricsText, tls });
  await operations?.listen({ host: config.HOST, port: config.OPERATIONS_PORT ?? 0 });
  const address = await app.listen({ host: config.HOST, port: config.PORT });
  logger.info({ address }, 'ingest listens');

  const parts = {
    config,
    app,
    operations,
    readiness,
    lanes,
    keys,
    lastUsed,
    refusalReports,
    leases,
    topicWatch,
    producer,
    telemetry,
  };
  return { logger, address, stop: (_signal, step) => stopInOrder({ ...parts, step }) };
}
