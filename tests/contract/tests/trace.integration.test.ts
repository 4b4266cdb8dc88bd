import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { startProduct } from '@cellarman/local-stack';
import type { Product } from '@cellarman/local-stack';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';

/* One reading's trace, from its request through Kafka to its insert, as a collector gets it. */

const exported: Buffer[] = [];
let collector: Server;
let dataDir: string;
let product: Product;

beforeAll(async () => {
  collector = createServer((request, response) => {
    void buffer(request).then((body) => {
      exported.push(body);
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

/** Protobuf carries names as text and ids as bytes, so a span can be found without a decoder. */
function exportedBy(service: string, spanName: string, traceId: string): Buffer | undefined {
  const parts = [service, spanName, Buffer.from(traceId, 'hex')];
  return exported.find((body) => parts.every((part) => body.includes(part)));
}

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

  await vi.waitFor(
    () => {
      const ingested = exportedBy('ingest', 'ingest reading', traceId);
      // Its parent is the span of the client.
      expect(ingested?.includes(Buffer.from(spanId, 'hex'))).toBe(true);
      expect(exportedBy('sink', 'store batch', traceId)).toBeDefined();
    },
    { timeout: 60_000, interval: 100 },
  );
});
