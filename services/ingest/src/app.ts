import { BATCH_PATH, INGEST_PATH, METRICS_PATH, WRITE_PATH, WRITE_V1_PATH } from '@cellarman/contracts';
import {
  createClientErrorHandler,
  declareEdgeErrors,
  rejectAmbiguousRequests,
  rejectUnknownRoutes,
} from '@cellarman/http-api';
import type { Lanes, PartitionReplicas } from '@cellarman/kafka';
import { healthRoutes } from '@cellarman/lifecycle';
import type { Readiness } from '@cellarman/lifecycle';
import type { Telemetry } from '@cellarman/telemetry';
import type { ServerTls } from '@cellarman/tls';
import fastifySwagger from '@fastify/swagger';
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import { fastify } from 'fastify';
import { createAuthenticate } from './authenticate.ts';
import { createAcceptBatch } from './batch/accept-batch.ts';
import { createBatchResponses } from './batch/batch-responses.ts';
import { BATCH_ERRORS, batchRouteSchema } from './batch/batch-schema.ts';
import { createIngestBatch } from './batch/ingest-batch.ts';
import { createPublishBatch } from './batch/publish-batch.ts';
import { createYield } from './batch/yield-to-event-loop.ts';
import type { Config } from './config.ts';
import { createAcceptWrite } from './line-protocol/accept-write.ts';
import { takeToken } from './line-protocol/take-token.ts';
import { createWriteResponses } from './line-protocol/write-responses.ts';
import { WRITE_ERRORS, writeSchema } from './line-protocol/write-schema.ts';
import { createAcceptReading } from './http/accept-reading.ts';
import { limitConnectionAge } from './http/connection-age.ts';
import { createResponses } from './http/responses.ts';
import { createErrorHandler } from './http/error-handler.ts';
import { leaveBodiesAlone, readBodiesAsBytes } from './http/read-body.ts';
import { requireLiteralPaths } from './http/require-literal-paths.ts';
import { createAcceptMetrics } from './otlp/accept-metrics.ts';
import { createMetricsResponses } from './otlp/metrics-responses.ts';
import { METRICS_ERRORS, metricsSchema } from './otlp/metrics-schema.ts';
import { completeServer, rawHeaders, serverOptions } from './http/server.ts';
import { INGEST_ERRORS, ingestSchema } from './http/ingest-schema.ts';
import { createCheckReading } from './validate/check-reading.ts';
import type { Keys } from './key-cache/keys.ts';
import type { IngestMetrics } from './metrics.ts';
import { openApi } from './http/open-api.ts';
import { createDescribeStored } from './publish/describe-stored.ts';
import { createPublish } from './publish/publish.ts';
import { createLimitRate } from './rate-limit/limit-rate.ts';
import type { RejectionCounts } from './rejections/rejection-counts.ts';
import type { Limiter } from './rate-limit/limiter.ts';
import type { ServerClock } from './server-clock.ts';
import { createShedLoad } from './shed-load/shed-load.ts';
import type { Saturation } from './shed-load/saturation.ts';
import type { StartTrace } from './trace.ts';
import { createValidate } from './validate/validate.ts';

export interface AppOptions {
  config: Config;
  tls?: ServerTls | undefined;
  keys: Pick<Keys, 'find'>;
  limiter: Limiter;
  lanes: Pick<Lanes, 'publish' | 'publishGroup'>;
  replicasOf: (partition: number) => PartitionReplicas | undefined;
  clock: ServerClock;
  startTrace: StartTrace;
  saturation: Saturation;
  rejections: Pick<RejectionCounts, 'note' | 'noteUnauthenticated'>;
  readiness: Readiness;
  metrics: IngestMetrics;
  telemetry: Pick<Telemetry, 'logger' | 'metricsText'>;
}

/** The HTTP surface of ingest. The order of its steps, and so of its rejections, is here and nowhere else. */
export function createApp(options: AppOptions) {
  const { config, tls, keys, limiter, lanes, clock, startTrace, saturation, rejections } = options;
  const { readiness, metrics, telemetry } = options;
  const { logger } = telemetry;
  const maxBodyBytes = config.MAX_BODY_BYTES;
  const responses = createResponses({ count: metrics.responded, rejections });

  const authenticate = createAuthenticate({ responses, keys, rejections, clock });
  const acceptReading = createAcceptReading({ responses, maxBodyBytes });
  const rate = createLimitRate({
    responses,
    limiter,
    pace: saturation.pace,
    defaults: { perSecond: config.RATE_LIMIT_PER_SECOND, burst: config.RATE_LIMIT_BURST },
  });
  const { shedLoad, takeSlot } = createShedLoad({ responses, saturation, maxBodyBytes, metrics });
  const checkReading = createCheckReading({ clock, maxClockSkewMs: config.MAX_CLOCK_SKEW_SECONDS * 1_000 });
  const validate = createValidate({ responses, clock, checkReading });
  const describeStored = createDescribeStored(config.READINGS_TOPIC, options.replicasOf);
  const publish = createPublish({ responses, lanes, clock, describeStored, startTrace, metrics, logger });

  const limits = {
    maxBytes: config.MAX_BATCH_BYTES,
    maxReadings: config.MAX_BATCH_READINGS,
    maxReadingBytes: maxBodyBytes,
  };
  const yieldToEventLoop = createYield();
  const { maxBytes } = limits;
  const batchResponses = createBatchResponses(metrics, yieldToEventLoop);
  const acceptBatch = createAcceptBatch({ responses, batchResponses, maxBytes });
  const writeResponses = createWriteResponses(metrics, yieldToEventLoop);
  const acceptWrite = createAcceptWrite({ responses, writeResponses, maxBytes });
  const metricsResponses = createMetricsResponses(metrics);
  const acceptMetrics = createAcceptMetrics({ responses, metricsResponses, maxBytes });
  const ingestBatch = createIngestBatch({
    responses,
    checkReading,
    rate,
    takeSlot,
    publishBatch: createPublishBatch({ lanes, clock, yieldToEventLoop, metrics, logger }),
    startTrace,
    yieldToEventLoop,
    clock,
    rejections,
    bodies: saturation.bodies,
    limits,
    logger,
  });

  const onError = createErrorHandler({ responses, logger, maxBodyBytes });
  const app = fastify({
    ...serverOptions(config, tls),
    clientErrorHandler: createClientErrorHandler({ onError: metrics.responded, headersOf: rawHeaders }),
    frameworkErrors: onError,
  }).withTypeProvider<TypeBoxTypeProvider>();
  completeServer(app.server, { maxConnections: config.MAX_CONNECTIONS });
  limitConnectionAge(app.server, { maxAgeMs: config.CONNECTION_MAX_AGE_SECONDS * 1_000 });
  tls?.follow(app.server);
  readBodiesAsBytes(app);
  app.setErrorHandler(onError);
  app.addHook('onRequest', rejectAmbiguousRequests);
  app.addHook('onClose', saturation.stop);
  rejectUnknownRoutes(app);
  requireLiteralPaths(app);
  declareEdgeErrors(app);
  app.register(fastifySwagger, openApi);

  app.decorateRequest('apiKey', null);
  app.decorateRequest('batch', null);
  app.decorateRequest('reading', null);
  app.decorateRequest('receivedMs', 0);
  app.register((routes, _options, done) => {
    routes.route({
      method: 'POST',
      url: INGEST_PATH,
      config: { errors: INGEST_ERRORS },
      schema: ingestSchema,
      // The schema is the contract. The scanner holds it, and more than a schema can say, on the bytes themselves.
      validatorCompiler: () => () => true,
      onRequest: [authenticate, acceptReading, rate.limitRate, shedLoad],
      preHandler: [validate, takeSlot],
      handler: publish,
    });
    done();
  });
  app.register((routes, _options, done) => {
    leaveBodiesAlone(routes);
    routes.route({
      method: 'POST',
      url: BATCH_PATH,
      config: { errors: BATCH_ERRORS },
      schema: batchRouteSchema,
      validatorCompiler: () => () => true,
      onRequest: [authenticate, acceptBatch, rate.limitRate, shedLoad],
      handler: ingestBatch,
    });
    routes.route({
      method: 'POST',
      url: METRICS_PATH,
      config: { errors: METRICS_ERRORS },
      schema: metricsSchema,
      validatorCompiler: () => () => true,
      onRequest: [takeToken, authenticate, acceptMetrics, rate.limitRate, shedLoad],
      handler: ingestBatch,
    });
    for (const [url, bucket] of [
      [WRITE_PATH, 'bucket'],
      [WRITE_V1_PATH, 'db'],
    ] as const) {
      routes.route({
        method: 'POST',
        url,
        config: { errors: WRITE_ERRORS },
        schema: writeSchema(bucket),
        validatorCompiler: () => () => true,
        onRequest: [takeToken, authenticate, acceptWrite(bucket), rate.limitRate, shedLoad],
        handler: ingestBatch,
      });
    }
    done();
  });

  if (config.OPERATIONS_PORT === undefined) {
    app.register(healthRoutes, { readiness, metricsText: telemetry.metricsText });
  }
  return app;
}
