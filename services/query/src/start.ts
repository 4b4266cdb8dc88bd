import { clickHouseAccess, connectClickHouse } from '@cellarman/clickhouse';
import { streamLimits } from '@cellarman/http-api';
import { createKeyServiceClient, createLastUsed, keyServiceAccess } from '@cellarman/key-service-client';
import { gracefulHttpStop, stopTimes } from '@cellarman/lifecycle';
import type { Service, Step } from '@cellarman/lifecycle';
import packageJson from '../package.json' with { type: 'json' };
import { createKeyService } from './access/key-service.ts';
import { createApp } from './app.ts';
import { createSelect } from './clickhouse/select.ts';
import { observeSlots } from './clickhouse/observe-slots.ts';
import { createSlots } from './clickhouse/slots.ts';
import { watchClickHouse } from './clickhouse/watch.ts';
import { loadConfig } from './config.ts';
import type { Config } from './config.ts';
import { createFeeds } from './live/feeds.ts';
import { createLive, observeLive } from './live/live.ts';

const KEY_SERVICE_TIMEOUT_MS = 3_000;
/** Beyond what ClickHouse itself may take, so that its own error arrives, and what the client of a stream may pause. */
const CLICKHOUSE_PATIENCE_MS = 5_000;
/** Keys whose last use waits to be reported; beyond it the dashboard shows an older date. */
const MAX_LAST_USED = 10_000;
/** Beyond what the two statements of a request may wait and run without a byte for the client. */
const SILENCE_MS = 30_000;

export const query = {
  name: 'query',
  version: packageJson.version,
  parts: ['clickhouse', 'http'],
  trustRemoteParent: false,
  operationsPort: (config: Config) => config.OPERATIONS_PORT,
  loadConfig,
  start,
};

/** Connects and listens. ClickHouse may come later: until then the replica is not ready. */
async function start(service: Service<Config>) {
  const { config, telemetry, logger, readiness, tls } = service;
  const clickhouse = connectClickHouse({
    ...clickHouseAccess(config),
    application: 'cellarman-query',
    maxConnections: config.MAX_QUERIES + 1,
    requestTimeoutMs:
      CLICKHOUSE_PATIENCE_MS + Math.max(config.QUERY_TIMEOUT_SECONDS * 1_000, config.STREAM_RATE_WINDOW_MS),
  });
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

  const clock = () => new Date();
  const selectAs = createSelect({
    clickhouse,
    slots,
    streamMaxSeconds: config.STREAM_MAX_SECONDS,
    ...bounds,
  });
  const keyService = createKeyServiceClient({
    ...keyServiceAccess(config),
    timeoutMs: KEY_SERVICE_TIMEOUT_MS,
  });
  const authorized = createKeyService(keyService);
  const liveLimits = {
    running: config.MAX_LIVE_STREAMS,
    runningPerReader: config.MAX_LIVE_STREAMS_PER_READER,
  };
  const live = createLive({
    feeds: createFeeds({
      ...{ selectAs, pollMs: config.LIVE_POLL_INTERVAL_MS, clock, logger },
      lastRejection: (cellar) => authorized.lastRejection(cellar),
    }),
    streams: { ...streams, open: createSlots({ ...liveLimits, waiting: 0, waitMs: 0 }) },
  });
  observeLive(telemetry.meter, live, { streams: config.MAX_LIVE_STREAMS });

  const lastUsed = createLastUsed({
    keyService,
    intervalMs: config.LAST_USED_INTERVAL_MS,
    maxWaiting: MAX_LAST_USED,
    logger,
  });

  const app = await createApp({
    tls,
    readiness,
    metricsText: telemetry.metricsText,
    hasOperationsPort: config.OPERATIONS_PORT !== undefined,
    logger,
    telemetry,
    keyService: authorized,
    alertsTokens: config.ALERTS_TOKEN ?? [],
    shareLookupsMs: config.STREAM_AUTHORIZE_INTERVAL_MS / 2,
    onUsed: (key, at) => lastUsed.used(key.id, at.getTime()),
    selectAs,
    streams,
    live,
    maxConnections: config.MAX_CONNECTIONS,
    silenceMs: SILENCE_MS + 2 * (config.QUERY_TIMEOUT_SECONDS * 1_000 + config.MAX_WAIT_MS),
    clock,
  });
  const url = await app.listen({ host: config.HOST, port: config.PORT });

  async function stop(step: Step): Promise<void> {
    await step('http', () =>
      gracefulHttpStop(app, { readiness, onDrain: () => live.end(), ...stopTimes(config) }),
    );
    await step('last uses of keys', () => lastUsed.stop());
    await step('clickhouse', async () => {
      await watch.stop();
      await clickhouse.close();
    });
  }
  return { url, stop };
}
