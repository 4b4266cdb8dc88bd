import { gzipSync } from 'node:zlib';
import { METRICS_PATH } from '@cellarman/contracts';
import { PublishError } from '@cellarman/kafka';
import { OTLPMetricExporter as JsonExporter } from '@opentelemetry/exporter-metrics-otlp-http';
import { OTLPMetricExporter as ProtobufExporter } from '@opentelemetry/exporter-metrics-otlp-proto';
import { resourceFromAttributes } from '@opentelemetry/resources';
import { MeterProvider, PeriodicExportingMetricReader } from '@opentelemetry/sdk-metrics';
import fc from 'fast-check';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { PROTOBUF_TYPE, toProtobuf } from '../../src/http/otlp-protocol.ts';
import { readMetrics } from '../../src/otlp/read-metrics.ts';
import { expectDocumentedResponse, startTestApp } from '../ingest-app.ts';
import type { TestApp } from '../ingest-app.ts';
import { mutated } from '../scan/mutate-bytes.ts';

const NOW = Date.parse('2026-11-23T12:00:00Z');
const timeUnixNano = `${NOW}000000`;

let app: TestApp;
let key: string;
beforeAll(async () => {
  app = await startTestApp({ now: () => NOW });
  key = app.keyService.addKey();
});
afterEach(() => void app.published.splice(0));
afterAll(() => app.close());

const stored = (from = app) =>
  from.published.map(({ value }) => JSON.parse(value) as Record<string, unknown>);
const text = (name: string, stringValue: string) => ({ key: name, value: { stringValue } });
const rack = text('rack', 'r');
const point = (fields: object = {}) => ({ timeUnixNano, asDouble: 1.5, attributes: [rack], ...fields });
const gauge = (...dataPoints: object[]) => ({ name: 'm', gauge: { dataPoints } });
function requestOf(metrics: object[], attributes: object[] = [], scopeAttributes: object[] = []) {
  const scopeMetrics = [{ scope: { name: 's', attributes: scopeAttributes }, metrics }];
  return { resourceMetrics: [{ resource: { attributes }, scopeMetrics }] };
}

function* readMetricsOf(body: Uint8Array) {
  const reader = readMetrics(Buffer.from(body), { cellar: 'demo', rack: 'r', isJson: false });
  for (let found = reader.next(); found !== undefined; found = reader.next()) yield found;
}

async function send(
  body: object | string | Uint8Array,
  { authorization = `Bearer ${key}`, ...headers }: Record<string, string> = {},
  to = app.url,
) {
  const response = await fetch(to + METRICS_PATH, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization, ...headers },
    body: typeof body === 'string' || body instanceof Uint8Array ? Buffer.from(body) : JSON.stringify(body),
  });
  if (headers['content-type'] === undefined) await expectDocumentedResponse(response.clone());
  return {
    status: response.status,
    headers: response.headers,
    bytes: Buffer.from(await response.arrayBuffer()),
  };
}

async function sendJson(...args: Parameters<typeof send>) {
  const { status, headers, bytes } = await send(...args);
  return { status, headers, body: JSON.parse(bytes.toString()) as unknown };
}

describe('POST /v1/metrics', () => {
  it.each([
    ['protobuf', ProtobufExporter],
    ['JSON', JsonExporter],
  ])('stores what the SDK of OpenTelemetry exports as %s', async (_format, Exporter) => {
    // The SDK has its own clock.
    const live = await startTestApp();
    const headers = { Authorization: `Bearer ${live.keyService.addKey()}` };
    const exporter = new Exporter({ url: live.url + METRICS_PATH, headers });
    const provider = new MeterProvider({
      resource: resourceFromAttributes({ 'service.name': 'brewery', 'host.name': 'pi' }),
      readers: [new PeriodicExportingMetricReader({ exporter, exportIntervalMillis: 60_000 })],
    });
    const meter = provider.getMeter('test');
    meter.createGauge('boiler.temperature').record(21.25, { sensor: 'ü"', deck: 2, hot: false });
    meter.createCounter('boiler.starts').add(3, { rack: 'boiler-1' });
    meter.createHistogram('boiler.duration').record(1);
    await provider.shutdown();
    expect(stored(live).map(({ rack: of, keg, value }) => [of, keg, value])).toEqual([
      ['pi', 'boiler.temperature,deck=2,hot=false,sensor=ü"', 21.25],
      ['boiler-1', 'boiler.starts', 3],
    ]);
    await live.close();
  });

  it('responds in the format of the request, also compressed', async () => {
    expect(await sendJson(requestOf([gauge(point())]))).toMatchObject({ status: 200, body: {} });
    const protobuf = { 'content-type': PROTOBUF_TYPE };
    const body = toProtobuf(JSON.stringify(requestOf([gauge(point())])));
    for (const encoding of [{}, { 'content-encoding': 'gzip' }]) {
      const sent = 'content-encoding' in encoding ? gzipSync(body) : body;
      const { status, headers, bytes } = await send(sent, { ...protobuf, ...encoding });
      expect([status, headers.get('content-type'), bytes.length]).toEqual([200, PROTOBUF_TYPE, 0]);
    }
    expect(app.published).toHaveLength(3);
    const { status, headers, bytes } = await send('x', { ...protobuf, authorization: '' });
    expect([status, headers.get('content-type')]).toEqual([401, PROTOBUF_TYPE]);
    expect(bytes.toString()).toContain('API key');
  });

  it('takes the rack from the data point, its scope, its resource or the key, and exact numbers', async () => {
    const host = [text('service.name', 'service'), text('host.name', 'host')];
    const bare = gauge(point({ attributes: [] }));
    await send(
      requestOf(
        [bare, gauge(point({ asDouble: 0 }), point({ asDouble: undefined, asInt: '-9007199254740991' }))],
        host,
      ),
    );
    await send(requestOf([bare], host, [text('device.id', 'device')]));
    const authorization = `Bearer ${app.keyService.addKey({ rack: 'bound' })}`;
    await send(requestOf([bare]), { authorization });
    expect(stored().map(({ rack: of, keg, value }) => [of, keg, value])).toEqual([
      ['host', 'm', 1.5],
      ['r', 'm', 0],
      ['r', 'm', -9007199254740991],
      ['device', 'm', 1.5],
      ['bound', 'm', 1.5],
    ]);
    expect(stored()[0]).toMatchObject({ cellar: 'demo', timestamp: '2026-11-23T12:00:00Z' });
  });

  it.each([
    ['Only gauges and sums', { name: 'm', histogram: { dataPoints: [{ timeUnixNano, count: '1' }] } }],
    ['"rack" is missing', gauge(point({ attributes: [] }))],
    ['"timestamp" is missing', gauge(point({ timeUnixNano: undefined }))],
    ['"value" must be a number', gauge(point({ asDouble: 'NaN' }))],
    ['"value" must be a number', gauge(point({ asDouble: undefined }))],
    ['"value" is an integer that', gauge(point({ asDouble: undefined, asInt: '9007199254740993' }))],
    ['attribute a must be text', gauge(point({ attributes: [{ key: 'a', value: { arrayValue: {} } }] }))],
    ['"keg" must have 1 to 256', gauge(point({ attributes: [rack, text('a', 'x'.repeat(2_000))] }))],
    ['time of the server', gauge(point({ timeUnixNano: '1' }))],
    ['at most 65536 bytes', gauge(point({ attributes: [rack, text('a', 'x'.repeat(70_000))] }))],
  ])('counts what is rejected: %s', async (message, metric) => {
    const { status, body } = await sendJson(requestOf([metric, gauge(point())]));
    expect(status).toBe(200);
    expect(body).toEqual({
      partialSuccess: { rejectedDataPoints: 1, errorMessage: expect.stringContaining(message) as string },
    });
    expect(app.published).toHaveLength(1);
  });

  it('repeats no name that is too long, neither in its response nor for each data point', async () => {
    const name = 'x'.repeat(1_000_000);
    const attributes = [text('a', 'x'.repeat(60_000))];
    const dataPoints = [point({ attributes: [] })];
    const body = toProtobuf(
      JSON.stringify(
        requestOf(
          [
            { name, histogram: { dataPoints } },
            { name, gauge: { dataPoints } },
          ],
          attributes,
        ),
      ),
    );
    const found = Array.from(readMetricsOf(body));
    expect(found).toMatchObject([
      { error: expect.stringContaining('another kind') as string },
      { error: expect.stringContaining('"keg" must have 1 to 256') as string },
    ]);
    expect(JSON.stringify(found).length).toBeLessThan(2_000);
  });

  it('takes a request without readings, and passes over series that have ended', async () => {
    for (const empty of [{}, requestOf([]), requestOf([gauge(point({ flags: 1, asDouble: undefined }))])]) {
      expect(await sendJson(empty)).toMatchObject({ status: 200, body: {} });
    }
  });
});

describe('errors', () => {
  it('400, 413 and 415', async () => {
    for (const body of [
      '',
      '[',
      'null',
      '{"resourceMetrics":1}',
      '{"resourceMetrics":[{"scopeMetrics":7}]}',
    ]) {
      expect(await sendJson(body)).toMatchObject({
        status: 400,
        body: { message: expect.any(String) as string },
      });
    }
    expect(await sendJson(' '.repeat(300_000))).toMatchObject({ status: 413 });
    const attributes = [text('a', 'x'.repeat(70_000))];
    expect(await sendJson(requestOf([gauge(point())], attributes))).toMatchObject({ status: 413 });
    const protobuf = { 'content-type': PROTOBUF_TYPE };
    expect(await send(Buffer.alloc(50_000, Buffer.from([10, 0])), protobuf)).toMatchObject({ status: 400 });
    expect(await send('x', { 'content-type': 'text/plain' })).toMatchObject({ status: 415 });
    expect(app.published).toEqual([]);
  });

  it('429 and 503 with Retry-After, also when one reading is retryable', async () => {
    const limited = await startTestApp({ now: () => NOW, limiter: { take: () => 1_000 } });
    const late = new PublishError('deadline', 'for the log only', { maybeStored: true });
    const publishGroup = () => Promise.resolve({ acknowledged: 1, failures: new Map([[1, late]]) });
    const away = await startTestApp({ now: () => NOW, lanes: { publishGroup } });
    for (const [of, status] of [
      [limited, 429],
      [away, 503],
    ] as const) {
      const headers = { authorization: `Bearer ${of.keyService.addKey()}` };
      const answer = await sendJson(requestOf([gauge(point(), point({ asDouble: 2 }))]), headers, of.url);
      expect(answer).toMatchObject({ status, body: { message: expect.any(String) as string } });
      expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
    }
    await Promise.all([limited.close(), away.close()]);
  });

  it('any bytes are a request or none', () => {
    const valid = Buffer.from(toProtobuf(JSON.stringify(requestOf([gauge(point(), point())], [rack]))));
    const bodies = mutated(fc.constant(valid.toString('latin1')));
    fc.assert(
      fc.property(bodies, (body) => {
        const reader = readMetrics(body, { cellar: 'demo', rack: null, isJson: false });
        try {
          while (reader.next() !== undefined) expect(reader.position).toBeLessThanOrEqual(body.length);
        } catch (error) {
          expect((error as Error).name).toBe('BatchRejection');
        }
      }),
      { numRuns: 2_000 },
    );
  });
});
