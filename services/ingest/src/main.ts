import { createKafkaProducer, createLanes } from '@cellarman/kafka';
import { createReadiness, runMain } from '@cellarman/lifecycle';
import type { Running } from '@cellarman/lifecycle';
import { startTelemetry } from '@cellarman/telemetry';
import { buildApp } from './app.ts';
import { loadConfig } from './config.ts';
import type { Config } from './config.ts';
import { createKeyService } from './key-cache/key-service.ts';
import { createKeys } from './key-cache/keys.ts';
import { createServerClock } from './server-clock.ts';
import { createStartTrace, passTraceOn } from './trace.ts';
import { stopInOrder } from './stop.ts';
import { watchTopic } from './watch-topic.ts';
import packageJson from '../package.json' with { type: 'json' };

const KEY_SERVICE_TIMEOUT_MS = 1_000;

await runMain({
  name: 'ingest',
  loadConfig,
  start,
  deadlineMs: (config) => config.SHUTDOWN_DEADLINE_MS,
});

async function start(config: Config): Promise<Running> {
  // Devices are strangers: they do not decide what is recorded.
  const telemetry = startTelemetry({
    service: 'ingest',
    version: packageJson.version,
    config,
    trustRemoteParent: false,
  });
  const { logger } = telemetry;
  const readiness = createReadiness({
    parts: ['kafka', 'keys'],
    onChange: (part, report) =>
      logger.info({ part, ...report }, `${part} is ${report.ready ? '' : 'not '}ready`),
  });

  const producer = createKafkaProducer({
    connection: { brokers: config.KAFKA_BROKERS, clientId: 'cellarman-ingest', logger },
    topics: [config.READINGS_TOPIC],
  });
  const lanes = createLanes({
    producer,
    topic: config.READINGS_TOPIC,
    limits: { maxInFlightBytes: config.MAX_IN_FLIGHT_BYTES },
    deadlineMs: config.ACK_DEADLINE_MS,
  });
  const topicWatch = watchTopic({ producer, topic: config.READINGS_TOPIC, readiness });

  const keys = createKeys({
    keyService: createKeyService({
      url: config.KEY_SERVICE_URL,
      token: config.INTERNAL_TOKEN,
      timeoutMs: KEY_SERVICE_TIMEOUT_MS,
    }),
    pullIntervalMs: config.KEY_PULL_INTERVAL_MS,
    staleMaxMs: config.KEY_STALE_MAX_SECONDS * 1_000,
    maxKeys: config.KEY_CACHE_SIZE,
    logger,
    onPulled: (error) => {
      if (error === undefined) readiness.set('keys', true);
    },
  });
  keys.start();

  const tracing = config.OTEL_EXPORTER_OTLP_ENDPOINT ?? config.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT;
  const app = buildApp({
    config,
    keys,
    lanes,
    clock: createServerClock(),
    startTrace: tracing === undefined ? passTraceOn : createStartTrace(telemetry.tracer),
    readiness,
    telemetry,
  });
  await app.listen({ host: config.HOST, port: config.PORT });
  logger.info({ addresses: app.addresses() }, 'ingest listens');
  return {
    logger,
    stop: (_signal, step) =>
      stopInOrder({ config, app, readiness, lanes, keys, topicWatch, producer, telemetry, step }),
  };
}
