import { createReadiness } from '@cellarman/lifecycle';
import { startTelemetry } from '@cellarman/telemetry';
import type { FastifyInstance } from 'fastify';
import { createApp as createIngest } from '../../../services/ingest/src/app.ts';
import { createApp as createKeyService } from '../../../services/key-service/src/app.ts';
import { createApp as createQuery } from '../../../services/query/src/app.ts';
import { WITHOUT_ENGINES } from '../../../services/key-service/tests/without-engines.ts';
import { loadConfig as loadIngestConfig } from '../../../services/ingest/src/config.ts';
import { createServerClock } from '../../../services/ingest/src/server-clock.ts';
import { createSaturation } from '../../../services/ingest/src/shed-load/saturation.ts';
import { passTraceOn } from '../../../services/ingest/src/trace.ts';

/** Stands in for the dependencies of an app, of which only the routes are used here. */
const unused = new Proxy(
  {},
  {
    get: () => () => {
      throw new Error('this app answers no requests');
    },
  },
) as never;

const TOKEN = 'unused-unused-unused';

/** OpenAPI of ingest, from the routes that its app registers. */
export async function ingestOpenApi(): Promise<object> {
  const config = loadIngestConfig({
    KAFKA_BROKERS: 'unused:9092',
    KEY_SERVICE_URL: 'http://unused',
    REDIS_URL: 'redis://unused',
    INTERNAL_TOKEN: TOKEN,
    LOG_LEVEL: 'silent',
  });
  const telemetry = await startTelemetry({ service: 'ingest', version: '0', config });
  const app = createIngest({
    config,
    keys: unused,
    limiter: unused,
    lanes: unused,
    replicasOf: unused,
    clock: createServerClock(),
    saturation: createSaturation(config),
    rejections: unused,
    startTrace: passTraceOn,
    readiness: createReadiness(),
    metrics: unused,
    telemetry,
  });
  return openApiOf(app, () => telemetry.stop());
}

/** OpenAPI of key-service, likewise. */
export async function keyServiceOpenApi(): Promise<object> {
  const app = await createKeyService(WITHOUT_ENGINES);
  return openApiOf(app, async () => {});
}

/** OpenAPI of query, likewise. */
export async function queryOpenApi(): Promise<object> {
  const app = await createQuery({
    keyService: unused,
    selectAs: unused,
    alertsTokens: [],
    streams: unused,
    live: unused,
    maxConnections: 1,
    clock: () => new Date(),
    readiness: createReadiness(),
    metricsText: unused,
    logger: unused,
  });
  return openApiOf(app, async () => {});
}

async function openApiOf(app: FastifyInstance, stop: () => Promise<void>): Promise<object> {
  try {
    await app.ready();
    return app.swagger();
  } finally {
    await app.close();
    await stop();
  }
}
