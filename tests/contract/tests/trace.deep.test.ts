import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { TOPIC_HEADERS } from '@cellarman/contracts';
import { createKafkaConsumer, silentLogger } from '@cellarman/kafka';
import { startProduct } from '@cellarman/local-stack';
import type { Product, RunFile } from '@cellarman/local-stack';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { RULES_FILE } from '../../observability/alerts/alert-rules.ts';
import { findPrometheus } from '../../observability/prometheus/find-prometheus.ts';
import { startPrometheus } from '../../observability/prometheus/start-prometheus.ts';
import { readServices } from '../otlp/read-services.ts';
import { readSpans } from '../otlp/read-spans.ts';
import type { ExportedSpan } from '../otlp/read-spans.ts';

/* One reading's trace, from its request through Kafka to its insert, as a collector and Prometheus get it. */

const TOPIC = 'cellarman.readings.v1';
const { prometheus: found } = await findPrometheus();
const PATIENCE = { timeout: 60_000, interval: 100 };

const SERVICES = ['ingest', 'key-service', 'query', 'sink'] as const;

const exported: ExportedSpan[] = [];
/** Which services have sent something to /v1/metrics and the like. */
const senders = new Map<string, Set<string>>();
let collector: Server;
let dataDir: string;
let product: Product;

beforeAll(async () => {
  collector = createServer((request, response) => {
    void buffer(request).then((body) => {
      const path = request.url ?? '';
      if (path === '/v1/traces') exported.push(...readSpans(body));
      senders.set(path, new Set([...(senders.get(path) ?? []), ...readServices(body)]));
      response.end();
    });
  });
  collector.listen(0, '127.0.0.1');
  await once(collector, 'listening');
  const { port } = collector.address() as AddressInfo;
  const env = {
    OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}`,
    OTEL_TRACES_SAMPLER_ARG: '1',
    OTEL_METRICS_EXPORTER: 'prometheus,otlp',
    OTEL_METRIC_EXPORT_INTERVAL: '1000',
    OTEL_LOGS_EXPORTER: 'otlp',
  };

  dataDir = await mkdtemp(join(tmpdir(), 'cellarman-trace-'));
  product = await startProduct({
    dataDir,
    ports: 'free',
    env: Object.fromEntries(SERVICES.map((service) => [service, env])),
  });
});

afterAll(async () => {
  await product.stop();
  collector.close();
  await rm(dataDir, { recursive: true, force: true });
});

test('the trace of a request goes on in the span that inserts its reading', async () => {
  const { traceId, spanId } = await postTracedReading('traced');
  const ingested = await vi.waitFor(
    () => exportedSpan('ingest', (span) => span.traceId === traceId),
    PATIENCE,
  );
  // It belongs to the trace of the client, …
  expect(ingested).toMatchObject({ name: 'ingest reading', parentSpanId: spanId });
  // … and the insert, which stores readings of many traces, links to it.
  const link = { traceId, spanId: ingested.spanId };
  const stored = await vi.waitFor(
    () => exportedSpan('sink', ({ links }) => links.some((to) => to.spanId === link.spanId)),
    PATIENCE,
  );
  expect(stored).toMatchObject({ name: 'store batch', links: [link] });

  // What the topic carried between both is the span of ingest.
  const carried = await readTraceparent(product.run(), 'traced');
  expect(carried).toBe(`00-${traceId}-${ingested.spanId}-01`);
});

test.each(['/v1/metrics', '/v1/logs'])('every service sends to %s', async (path) => {
  await vi.waitFor(() => expect([...(senders.get(path) ?? [])].sort()).toEqual([...SERVICES]), PATIENCE);
});

test.runIf(found !== undefined)('a real Prometheus gets from a slow request to its trace', async () => {
  const { ingestUrl, sinkUrl, queryOperationsUrl } = product.run();
  const prometheus = await startPrometheus({
    program: found?.server ?? '',
    directory: join(dataDir, 'prometheus'),
    targets: { ingest: [ingestUrl], sink: [sinkUrl], query: [queryOperationsUrl] },
    rulesFile: RULES_FILE,
    scrapeInterval: '500ms',
  });
  try {
    const posted = await postTracedReading('exemplary');
    const traces = async (histogram: string) => {
      const range = `start=0&end=${Date.now() / 1_000 + 60}`;
      const series = await prometheus.api<{ exemplars: { labels: { trace_id?: string } }[] }[]>(
        `query_exemplars?query=${histogram}_bucket&${range}`,
      );
      return series.flatMap(({ exemplars }) => exemplars.map(({ labels }) => labels.trace_id));
    };
    const acknowledged = () => traces('cellarman_ingest_acknowledge_duration_seconds');
    await vi.waitFor(async () => expect(await acknowledged()).toContain(posted.traceId), PATIENCE);
    // The insert has a trace of its own, which the collector knows.
    await vi.waitFor(async () => {
      const inserts = exported.filter(({ service }) => service === 'sink').map(({ traceId }) => traceId);
      const fresh = await traces('cellarman_sink_freshness_seconds');
      expect(fresh.length).toBeGreaterThan(0);
      expect(inserts).toEqual(expect.arrayContaining(fresh));
    }, PATIENCE);
  } finally {
    await prometheus.stop();
  }
});

/** Posts a reading of a rack as a device that traces, again while ingest is busy. */
async function postTracedReading(rack: string): Promise<{ traceId: string; spanId: string }> {
  const { ingestUrl, demo } = product.run();
  return vi.waitFor(async () => {
    const traceId = randomBytes(16).toString('hex');
    const spanId = randomBytes(8).toString('hex');
    const timestamp = new Date().toISOString();
    const answer = await fetch(`${ingestUrl}/api/v1/ingest`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'x-api-key': demo.apiKey,
        traceparent: `00-${traceId}-${spanId}-01`,
      },
      body: JSON.stringify({ cellar: demo.cellar, rack, keg: 'temperature', value: 1, timestamp }),
    });
    expect(answer.status).toBe(200);
    return { traceId, spanId };
  }, PATIENCE);
}

function exportedSpan(service: string, isIt: (span: ExportedSpan) => boolean): ExportedSpan {
  const span = exported.find((candidate) => candidate.service === service && isIt(candidate));
  if (span === undefined) throw new Error(`${service} has exported no such span`);
  return span;
}

/** The header of the message that holds the reading of a rack. */
async function readTraceparent({ kafkaBrokers, demo }: RunFile, rack: string): Promise<string | undefined> {
  const found = Promise.withResolvers<string | undefined>();
  const consumer = createKafkaConsumer({
    connection: { brokers: kafkaBrokers, clientId: 'trace-test', logger: silentLogger },
    topic: TOPIC,
    groupId: 'trace-test',
    handler: {
      onBatch({ messages }) {
        for (const { key, headers } of messages) {
          if (key?.toString() !== `${demo.cellar}/${rack}`) continue;
          found.resolve(headers?.[TOPIC_HEADERS.traceparent]?.toString());
        }
      },
    },
  });
  await consumer.start();
  try {
    return await found.promise;
  } finally {
    await consumer.stop();
  }
}
