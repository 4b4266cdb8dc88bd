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
import { readSpans } from '../otlp/read-spans.ts';
import type { ExportedSpan } from '../otlp/read-spans.ts';

/* One reading's trace, from its request through Kafka to its insert, as a collector gets it. */

const TOPIC = 'cellarman.readings.v1';
const PATIENCE = { timeout: 60_000, interval: 100 };

const exported: ExportedSpan[] = [];
let collector: Server;
let dataDir: string;
let product: Product;

beforeAll(async () => {
  collector = createServer((request, response) => {
    void buffer(request).then((body) => {
      exported.push(...readSpans(body));
      response.end();
    });
  });
  collector.listen(0, '127.0.0.1');
  await once(collector, 'listening');
  const { port } = collector.address() as AddressInfo;
  const env = { OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}`, OTEL_TRACES_SAMPLER_ARG: '1' };

  dataDir = await mkdtemp(join(tmpdir(), 'cellarman-trace-'));
  product = await startProduct({ dataDir, ports: 'free', env: { ingest: env, sink: env } });
});

afterAll(async () => {
  await product.stop();
  collector.close();
  await rm(dataDir, { recursive: true, force: true });
});

test('the trace of a request goes on in the span that inserts its reading', async () => {
  const { ingestUrl, demo } = product.run();
  const traceId = randomBytes(16).toString('hex');
  const spanId = randomBytes(8).toString('hex');
  const timestamp = new Date().toISOString();
  const reading = { cellar: demo.cellar, rack: 'traced', keg: 'temperature', value: 1, timestamp };
  const answer = await fetch(`${ingestUrl}/api/v1/ingest`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'x-api-key': demo.apiKey,
      traceparent: `00-${traceId}-${spanId}-01`,
    },
    body: JSON.stringify(reading),
  });
  expect(answer.status).toBe(200);

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
