import { streamLimits } from '@cellarman/http-api';
import { createOperationsApp, createReadiness, gracefulHttpStop, stopTimes } from '@cellarman/lifecycle';
import type { Running } from '@cellarman/lifecycle';
import type { Telemetry } from '@cellarman/telemetry';
import { observeCertificates, serverTls } from '@cellarman/tls';
import { createKeyService } from './access/key-service.ts';
import { reportLastUsed } from './access/last-used.ts';
import { createApp } from './app.ts';
import { connectClickHouse } from './clickhouse/connect.ts';
import { createSelect } from './clickhouse/select.ts';
import { observeSlots } from './clickhouse/observe-slots.ts';
import { createSlots } from './clickhouse/slots.ts';
import { watchClickHouse } from './clickhouse/watch.ts';
import type { Config } from './config.ts';

/** Beyond what the two statements of a request may wait and run without a byte for the client. */
const SILENCE_MS = 30_000;

export interface Query extends Running {
  /** Base address. */
  url: string;
  /** Where Prometheus and probes come to; `url` without OPERATIONS_PORT. */
  operationsUrl: string;
}

/** Connects and listens. ClickHouse may come later: until then the replica is not ready. */
export async function startQuery(config: Config, telemetry: Telemetry): Promise<Query> {
  const { logger } = telemetry;
  const readiness = createReadiness({
    parts: ['clickhouse', 'http'],
    onChange: (part, report) => logger.info({ part, ...report }, 'readiness changed'),
  });
  const clickhouse = connectClickHouse(config);
  const bounds = {
    timeoutSeconds: config.QUERY_TIMEOUT_SECONDS,
    maxMemoryBytes: config.QUERY_MAX_MEMORY_BYTES,
  };
  const watch = watchClickHouse({ clickhouse, readiness, logger, ...bounds });
  const limits = {
    running: config.MAX_QUERIES,
    runningPerReader: config.MAX_QUERIES_PER_READER,
    waiting: config.MAX_WAITING_QUERIES,
    waitMs: config.MAX_WAIT_MS,
  };
  const slots = createSlots(limits);
  observeSlots(telemetry.meter, slots, limits);
  const streams = {
    open: createSlots({ ...limits, running: config.MAX_STREAMS, waiting: 0 }),
    limits: streamLimits(config),
    authorizeEveryMs: config.STREAM_AUTHORIZE_INTERVAL_MS,
    logger,
  };

  const keyService = createKeyService({ url: config.KEY_SERVICE_URL, token: config.INTERNAL_TOKEN });
  const lastUsed = reportLastUsed({ keyService, intervalMs: config.LAST_USED_INTERVAL_MS, logger });

  observeCertificates(telemetry.meter, config);
  const served = { tls: serverTls(config, logger), readiness, metricsText: telemetry.metricsText };
  const operations = config.OPERATIONS_PORT === undefined ? undefined : createOperationsApp(served);
  const app = await createApp({
    ...served,
    hasOperationsPort: operations !== undefined,
    logger,
    telemetry,
    keyService,
    onUsed: (key, at) => lastUsed.used(key, at),
    selectAs: createSelect({
      clickhouse,
      slots,
      streamMaxSeconds: config.STREAM_MAX_SECONDS,
      ...bounds,
    }),
    streams,
    maxConnections: config.MAX_CONNECTIONS,
    silenceMs: SILENCE_MS + 2 * (config.QUERY_TIMEOUT_SECONDS * 1_000 + config.MAX_WAIT_MS),
    clock: () => new Date(),
  });
  const ownUrl = await operations?.listen({ host: config.HOST, port: config.OPERATIONS_PORT ?? 0 });
  const url = await app.listen({ host: config.HOST, port: config.PORT });
  readiness.set('http', true);
  const operationsUrl = ownUrl ?? url;
  logger.info({ url, operationsUrl }, 'query listens');

  return {
    url,
    operationsUrl,
    logger,
    async stop(_signal, step) {
      await step('HTTP', () => gracefulHttpStop(app, { readiness, ...stopTimes(config) }));
      await step('last uses of keys', () => lastUsed.stop());
      await step('ClickHouse', async () => {
        await watch.stop();
        await clickhouse.close();
      });
      await step('telemetry', () => telemetry.stop());
      await operations?.close();
    },
  };
}
