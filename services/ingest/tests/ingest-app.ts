import { promisify } from 'node:util';
import { INGEST_PATH } from '@cellarman/contracts';
import { createReadiness } from '@cellarman/lifecycle';
import { createLogger, startTelemetry } from '@cellarman/telemetry';
import { createApp } from '../src/app.ts';
import type { AppOptions } from '../src/app.ts';
import { loadConfig } from '../src/config.ts';
import type { Config } from '../src/config.ts';
import { createKeyServiceClient } from '@cellarman/key-service-client';
import { createKeys } from '../src/key-cache/keys.ts';
import { createMetrics } from '../src/metrics.ts';
import { createRejectionCounts } from '../src/rejections/rejection-counts.ts';
import type { RejectionCounts } from '../src/rejections/rejection-counts.ts';
import { createServerClock } from '../src/server-clock.ts';
import { createSaturation } from '../src/shed-load/saturation.ts';
import { passTraceOn } from '../src/trace.ts';
import { expectDocumented } from './documented-response.ts';
import { startKeyServiceStub } from './key-service-stub.ts';
import type { KeyServiceStub } from './key-service-stub.ts';

export const silent = createLogger({ service: 'ingest', version: 'test', level: 'silent' });

export interface PublishedMessage {
  key: string;
  value: string;
  headers: Record<string, string>;
}

/** The real app on a real socket with a real key-service over HTTP; only Kafka and Redis are left out. */
export interface TestApp {
  url: string;
  port: number;
  keyService: KeyServiceStub;
  published: PublishedMessage[];
  rejections: RejectionCounts;
  metrics(): Promise<string>;
  /** How many clients are connected. */
  connections(): Promise<number>;
  close(): Promise<void>;
}

export async function startTestApp(
  options: {
    config?: Partial<Config>;
    limiter?: Partial<AppOptions['limiter']>;
    lanes?: Partial<AppOptions['lanes']>;
    tls?: AppOptions['tls'];
    now?: () => number;
  } = {},
): Promise<TestApp> {
  const keyService = await startKeyServiceStub();
  const config: Config = {
    ...loadConfig({
      KAFKA_BROKERS: 'none:1',
      KEY_SERVICE_URL: keyService.url,
      INTERNAL_TOKEN: keyService.token,
      REDIS_URL: 'redis://none',
    }),
    ...options.config,
  };
  const telemetry = await startTelemetry({
    service: 'ingest',
    version: 'test',
    config: { ...config, LOG_LEVEL: 'silent' },
  });
  const keys = createKeys({
    keyService: createKeyServiceClient({ url: keyService.url, token: keyService.token, timeoutMs: 5_000 }),
    pullIntervalMs: 20,
    staleMaxMs: 60_000,
    maxKeys: 1_000,
    logger: silent,
  });
  keys.start();

  const published: PublishedMessage[] = [];
  const publish = (key: string | Buffer, value: Buffer, headers: unknown) => {
    published.push({
      key: String(key),
      value: value.toString(),
      headers: headers as Record<string, string>,
    });
  };
  const lanes: AppOptions['lanes'] = {
    publish: async (key, value, headers, onStored) => {
      publish(key, value, headers);
      onStored?.(2, published.length);
    },
    publishGroup: async (messages) => {
      for (const { key, value, headers } of messages) publish(key, value, headers);
      return { acknowledged: messages.length, failures: new Map() };
    },
    ...options.lanes,
  };
  const rejections = createRejectionCounts({ maxKinds: 1_000 });
  const app = createApp({
    config,
    tls: options.tls,
    keys,
    limiter: {
      take: () => 0,
      takeMore: () => 0,
      available: () => Infinity,
      left: () => 1,
      ...options.limiter,
    },
    lanes,
    replicasOf: () => ({ replicas: 3, inSync: 2, checkedAt: 0 }),
    clock: createServerClock(options.now),
    startTrace: passTraceOn,
    saturation: createSaturation(config),
    rejections,
    readiness: createReadiness(),
    metrics: createMetrics(telemetry.meter),
    telemetry,
  });
  const url = await app.listen({ host: '127.0.0.1', port: 0 });
  return {
    url,
    port: Number(new URL(url).port),
    keyService,
    published,
    rejections,
    metrics: () => telemetry.metricsText(),
    connections: () => promisify(app.server.getConnections.bind(app.server))(),
    async close() {
      keys.stop();
      app.server.closeAllConnections();
      await app.close();
      await telemetry.stop();
      await keyService.close();
    },
  };
}

/** A reading that the key of `KeyServiceStub.addKey()` may send now. */
export function reading(change: Record<string, unknown> = {}): Record<string, unknown> {
  const timestamp = `${new Date().toISOString().slice(0, 19)}Z`;
  return { cellar: 'demo', rack: 'boiler-1', keg: 'temperature', value: 21.5, timestamp, ...change };
}

/** Ingest promises a response within five seconds; the rest is for a machine that is busy with tests. */
const ANSWER_WITHIN_MS = 8_000;

export async function post(
  url: string,
  apiKey: string | undefined,
  body: unknown,
  headers: Record<string, string> = {},
) {
  const response = await fetch(url + INGEST_PATH, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      ...(apiKey === undefined ? {} : { 'x-api-key': apiKey }),
      ...headers,
    },
    signal: AbortSignal.timeout(ANSWER_WITHIN_MS),
    body: typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body),
  });
  await expectDocumentedResponse(response.clone());
  return response;
}

/** Compares a response to a POST with OpenAPI. */
export async function expectDocumentedResponse(response: Response): Promise<void> {
  expectDocumented(new URL(response.url).pathname, {
    status: response.status,
    contentType: response.headers.get('content-type') ?? undefined,
    body: await response.text(),
  });
}
