import { context, diag, logs, propagation, trace } from '@opentelemetry/api';
import { InMemorySpanExporter } from '@opentelemetry/sdk-trace';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { formatTraceparent, linksFromTraceparents, startTelemetry } from '../src/index.ts';
import type { TelemetryOptions } from '../src/index.ts';
import { startCollector } from './collector.ts';
import { keepLines } from './keep-lines.ts';
import { plainConfig } from './plain-config.ts';
import { stubEnvironment } from './stub-environment.ts';

const cleanUps: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0)) await cleanUp();
  vi.unstubAllEnvs();
  // Tracing is registered once per process; the next test registers its own.
  for (const api of [trace, context, propagation, logs, diag]) api.disable();
});

async function start({ endpoint, ...rest }: Partial<TelemetryOptions> & { endpoint?: string }) {
  const config = {
    ...plainConfig,
    ...(rest.stdout === undefined ? {} : { LOG_LEVEL: 'info' }),
    ...(endpoint === undefined ? {} : { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint }),
    ...rest.config,
  };
  stubEnvironment(config);
  const telemetry = await startTelemetry({ service: 'ingest', version: '1.2.3', ...rest, config });
  cleanUps.push(() => telemetry.stop());
  return telemetry;
}

async function startTestCollector() {
  const collector = await startCollector();
  cleanUps.push(collector.close);
  return collector;
}

/** Keeps its spans also after the stop that flushed them. */
class KeptSpans extends InMemorySpanExporter {
  override shutdown = async () => {};
}

describe('traces', () => {
  it('go to the OTLP endpoint at the latest when the process stops', async () => {
    const { endpoint, requests } = await startTestCollector();
    const telemetry = await start({ endpoint: `${endpoint}/` });
    telemetry.tracer.startSpan('POST /api/v1/ingest').end();
    await telemetry.stop();

    expect(requests).toHaveLength(1);
    expect(requests[0]).toMatchObject({ url: '/v1/traces', type: 'application/x-protobuf' });
    // Protobuf keeps texts as they are.
    for (const text of ['POST /api/v1/ingest', 'service.name', 'ingest', '1.2.3']) {
      expect(requests[0]?.body.includes(text)).toBe(true);
    }
  });

  it('are not recorded without an endpoint', async () => {
    const telemetry = await start({});
    const span = telemetry.tracer.startSpan('x');
    expect(span.isRecording()).toBe(false);
    expect(formatTraceparent(span.spanContext())).toBeUndefined();
  });

  it('do not fail the stop when the collector is away', async () => {
    const { endpoint, close } = await startTestCollector();
    await close();
    const { lines, stdout } = keepLines();
    const telemetry = await start({ endpoint, stdout });
    telemetry.tracer.startSpan('x').end();
    await telemetry.stop();
    expect(lines.join('')).toContain('could not send the last logs, metrics and spans');
  });

  it('say in the log what the SDK complains about', async () => {
    const { entries, stdout } = keepLines();
    await start({ spanExporter: new KeptSpans(), stdout });
    diag.error('export failed', new Error('ECONNREFUSED'));
    diag.debug('chatter');
    expect(entries()).toMatchObject([
      { level: 'warn', msg: 'OpenTelemetry: export failed', details: [{ message: 'ECONNREFUSED' }] },
    ]);
  });

  it('lead from HTTP through a Kafka header to the insert', async () => {
    const exporter = new KeptSpans();
    const telemetry = await start({ spanExporter: exporter });

    const publish = telemetry.tracer.startSpan('publish');
    const header = formatTraceparent(publish.spanContext());
    publish.end();
    telemetry.tracer.startSpan('insert', { links: linksFromTraceparents([header]) }).end();
    await telemetry.stop();

    const spans = exporter.getFinishedSpans();
    expect(spans.map((span) => span.name)).toEqual(['publish', 'insert']);
    expect(spans[1]?.links.map((link) => link.context)).toMatchObject([
      { traceId: publish.spanContext().traceId, spanId: publish.spanContext().spanId },
    ]);
  });

  it('give their ids to the log lines inside of them', async () => {
    const { lines, stdout } = keepLines();
    const { tracer, logger } = await start({ spanExporter: new KeptSpans(), stdout });
    tracer.startActiveSpan('x', (span) => {
      logger.info('inside');
      const { traceId, spanId } = span.spanContext();
      expect(JSON.parse(lines[0] ?? '')).toMatchObject({ trace_id: traceId, span_id: spanId });
      span.end();
    });
  });
});
