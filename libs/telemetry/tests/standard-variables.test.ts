import { context, diag, logs, metrics, propagation, trace } from '@opentelemetry/api';
import { Type } from '@sinclair/typebox';
import { afterEach, beforeEach, describe, expect, it, test, vi } from 'vitest';
import { readConfig } from '../../config/src/index.ts';
import { startTelemetry, telemetryVariables } from '../src/index.ts';
import type { Telemetry } from '../src/index.ts';
import { startCollector } from './collector.ts';
import type { Collector } from './collector.ts';
import { keepLines } from './keep-lines.ts';

/* The variables of OpenTelemetry do what its specification says: https://opentelemetry.io/docs/specs/otel/configuration/sdk-environment-variables/ */

type Environment = Readonly<Record<string, string>>;

const EVERYTHING: Environment = {
  LOG_LEVEL: 'info',
  OTEL_TRACES_SAMPLER: 'always_on',
  OTEL_METRICS_EXPORTER: 'prometheus,otlp',
  OTEL_LOGS_EXPORTER: 'otlp',
};
const PATHS = { traces: '/v1/traces', metrics: '/v1/metrics', logs: '/v1/logs' };

let collector: Collector;
let telemetry: Telemetry | undefined;
beforeEach(async () => {
  collector = await startCollector();
});
afterEach(async () => {
  await telemetry?.stop();
  telemetry = undefined;
  await collector.close();
  vi.unstubAllEnvs();
  for (const api of [trace, context, propagation, logs, metrics, diag]) api.disable();
});

/** As a service starts that has this environment. */
async function start(environment: Environment): Promise<Telemetry> {
  const env = { ...EVERYTHING, OTEL_EXPORTER_OTLP_ENDPOINT: collector.endpoint, ...environment };
  for (const [name, value] of Object.entries(env)) vi.stubEnv(name, value);
  const config = readConfig({ service: 'test', schema: Type.Object(telemetryVariables), env });
  telemetry = await startTelemetry({
    ...{ service: 'ingest', version: '1.2.3', config, stdout: keepLines().stdout },
  });
  return telemetry;
}

/**
 * Makes three spans, a metric and a line, all of which are sent at the stop.
 *
 * @returns what Prometheus gets before it
 */
async function exportedWith(environment: Environment): Promise<string> {
  const { tracer, meter, logger, metricsText, stop } = await start(environment);
  for (const name of ['first', 'second', 'third'])
    tracer.startSpan(name, { attributes: { one: 'a long text', two: 'another one' } }).end();
  meter.createCounter('cellarman_things').add(1);
  logger.info('a line');
  const prometheus = await metricsText();
  await stop();
  return prometheus;
}

const text = (path: string) => Buffer.concat(collector.at(path)).toString('latin1');
const everywhere = Object.values(PATHS);

describe('every signal', () => {
  it.each([
    ['OTEL_SERVICE_NAME', { OTEL_SERVICE_NAME: 'cellar-eu' }, 'cellar-eu'],
    [
      'OTEL_RESOURCE_ATTRIBUTES',
      { OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=staging' },
      'staging',
    ],
    [
      'OTEL_SERVICE_NAME before service.name of OTEL_RESOURCE_ATTRIBUTES',
      { OTEL_SERVICE_NAME: 'named', OTEL_RESOURCE_ATTRIBUTES: 'service.name=other' },
      'named',
    ],
  ])('carries what %s says', async (_name, environment, expected) => {
    expect(await exportedWith(environment)).toContain(expected);
    for (const path of everywhere) expect(text(path), path).toContain(expected);
  });

  it.each([
    ['OTEL_EXPORTER_OTLP_HEADERS', { OTEL_EXPORTER_OTLP_HEADERS: 'x-tenant=ours' }, 'x-tenant', 'ours'],
    [
      'OTEL_EXPORTER_OTLP_COMPRESSION',
      { OTEL_EXPORTER_OTLP_COMPRESSION: 'gzip' },
      'content-encoding',
      'gzip',
    ],
    ['OTEL_EXPORTER_OTLP_PROTOCOL', {}, 'content-type', 'application/x-protobuf'],
    [
      'OTEL_EXPORTER_OTLP_PROTOCOL=http/json',
      { OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json' },
      'content-type',
      'application/json',
    ],
  ])('is sent as %s says', async (_name, environment, header, value) => {
    await exportedWith(environment);
    const sent = collector.requests.map(({ url, headers }) => [url, headers[header]]);
    expect(new Set(sent.map(([url]) => url))).toEqual(new Set(everywhere));
    for (const [, found] of sent) expect(found).toBe(value);
  });

  it.each([
    ['OTEL_SDK_DISABLED', { OTEL_SDK_DISABLED: 'true' }, []],
    ['OTEL_TRACES_EXPORTER', { OTEL_TRACES_EXPORTER: 'none' }, ['logs', 'metrics']],
    ['OTEL_METRICS_EXPORTER', { OTEL_METRICS_EXPORTER: 'none' }, ['logs', 'traces']],
    ['OTEL_LOGS_EXPORTER', { OTEL_LOGS_EXPORTER: 'none' }, ['metrics', 'traces']],
  ])('is sent unless %s forbids it', async (_name, environment, expected) => {
    await exportedWith(environment);
    const sent = new Set(collector.requests.map(({ url }) => url?.replace('/v1/', '')));
    expect([...sent].sort()).toEqual(expected);
  });

  it('goes to its own endpoint', async () => {
    await exportedWith({
      OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: `${collector.endpoint}/a`,
      OTEL_EXPORTER_OTLP_METRICS_ENDPOINT: `${collector.endpoint}/b`,
      OTEL_EXPORTER_OTLP_LOGS_ENDPOINT: `${collector.endpoint}/c`,
    });
    expect(new Set(collector.requests.map(({ url }) => url))).toEqual(new Set(['/a', '/b', '/c']));
  });
});

describe('traces', () => {
  it.each([
    ['always_on', undefined, 1],
    ['always_off', undefined, 0],
    ['traceidratio', '0', 0],
    ['traceidratio', '1', 1],
    ['traceidratio', undefined, 1],
    ['parentbased_always_on', undefined, 1],
    ['parentbased_always_off', undefined, 0],
    ['parentbased_traceidratio', '0', 0],
  ])('are recorded by OTEL_TRACES_SAMPLER=%s with %s', async (sampler, argument, batches) => {
    await exportedWith({
      OTEL_TRACES_SAMPLER: sampler,
      ...(argument === undefined ? {} : { OTEL_TRACES_SAMPLER_ARG: argument }),
    });
    expect(collector.at(PATHS.traces)).toHaveLength(batches);
    expect(telemetry?.beginTrace() === undefined).toBe(batches === 0);
  });

  it('go in batches of OTEL_BSP_MAX_EXPORT_BATCH_SIZE', async () => {
    await exportedWith({ OTEL_BSP_MAX_EXPORT_BATCH_SIZE: '1' });
    expect(collector.at(PATHS.traces)).toHaveLength(3);
  });

  it('go after OTEL_BSP_SCHEDULE_DELAY', async () => {
    const { tracer } = await start({ OTEL_BSP_SCHEDULE_DELAY: '20' });
    tracer.startSpan('soon').end();
    // The default is five seconds, in which this would not be there.
    await expect.poll(() => collector.at(PATHS.traces).length, { timeout: 4_000 }).toBe(1);
  });

  it('are cut by OTEL_SPAN_ATTRIBUTE_COUNT_LIMIT and OTEL_ATTRIBUTE_VALUE_LENGTH_LIMIT', async () => {
    await exportedWith({ OTEL_SPAN_ATTRIBUTE_COUNT_LIMIT: '1', OTEL_ATTRIBUTE_VALUE_LENGTH_LIMIT: '6' });
    expect(text(PATHS.traces)).toContain('a long');
    expect(text(PATHS.traces)).not.toContain('a long text');
    expect(text(PATHS.traces)).not.toContain('another');
  });
});

test('logs go in batches of OTEL_BLRP_MAX_EXPORT_BATCH_SIZE', async () => {
  const { logger, stop } = await start({ OTEL_BLRP_MAX_EXPORT_BATCH_SIZE: '1' });
  for (const line of ['a', 'b', 'c']) logger.info(line);
  await stop();
  expect(collector.at(PATHS.logs)).toHaveLength(3);
});

test('metrics go after OTEL_METRIC_EXPORT_INTERVAL', async () => {
  await start({ OTEL_METRIC_EXPORT_INTERVAL: '100', OTEL_METRIC_EXPORT_TIMEOUT: '5000' });
  await expect.poll(() => collector.at(PATHS.metrics).length).toBeGreaterThan(1);
});

describe('OTEL_PROPAGATORS', () => {
  const W3C = { traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01' };
  const B3 = { b3: '1af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-1' };
  const B3_MULTI = {
    'x-b3-traceid': '2af7651916cd43dd8448eb211c80319c',
    'x-b3-spanid': 'b7ad6b7169203331',
    'x-b3-sampled': '1',
  };
  const all = { ...W3C, ...B3_MULTI };

  it.each([
    [undefined, all, '0af7651916cd43dd8448eb211c80319c'],
    ['tracecontext,baggage', all, '0af7651916cd43dd8448eb211c80319c'],
    ['b3', { ...W3C, ...B3 }, '1af7651916cd43dd8448eb211c80319c'],
    ['b3multi', all, '2af7651916cd43dd8448eb211c80319c'],
    ['none', all, undefined],
  ])('%s', async (propagators, headers, traceId) => {
    // Nothing is exported: the variable counts all the same.
    const { extract } = await start({
      ...{ OTEL_TRACES_EXPORTER: 'none', OTEL_METRICS_EXPORTER: 'prometheus', OTEL_LOGS_EXPORTER: 'none' },
      ...(propagators === undefined ? {} : { OTEL_PROPAGATORS: propagators }),
    });
    expect(extract(headers)?.traceId).toBe(traceId);
  });
});

test.each([
  { OTEL_TRACES_SAMPLER: 'sometimes' },
  { OTEL_PROPAGATORS: 'pigeon' },
  { OTEL_TRACES_EXPORTER: 'otpl' },
  { OTEL_METRICS_EXPORTER: 'statsd' },
  { OTEL_EXPORTER_OTLP_PROTOCOL: 'http' },
])('%j ends the start', async (environment) => {
  await expect(start(environment)).rejects.toThrow(Object.keys(environment)[0]);
});
