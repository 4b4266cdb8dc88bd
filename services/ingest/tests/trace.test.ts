import { startTelemetry } from '@cellarman/telemetry';
import type { Telemetry, TelemetryOptions } from '@cellarman/telemetry';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createStartTrace } from '../src/trace.ts';

type Exporter = NonNullable<TelemetryOptions['spanExporter']>;
type Span = Parameters<Exporter['export']>[0][number];

const exported: Span[] = [];
let telemetry: Telemetry;

beforeAll(async () => {
  telemetry = await startTelemetry({
    service: 'ingest',
    version: 'test',
    config: {
      LOG_LEVEL: 'silent',
      OTEL_TRACES_EXPORTER: 'otlp',
      OTEL_TRACES_SAMPLER_ARG: 0.5,
      OTEL_METRICS_EXPORTER: 'none',
      OTEL_METRIC_EXPORT_INTERVAL: 60_000,
      OTEL_LOGS_EXPORTER: 'none',
    },
    trustRemoteParent: false,
    spanExporter: {
      export: (spans, done) => {
        exported.push(...spans);
        // eslint-disable-next-line @typescript-eslint/no-unsafe-enum-assignment -- the enum is not exported here
        done({ code: 0 });
      },
      shutdown: () => Promise.resolve(),
    },
  });
});
afterAll(() => telemetry.stop());

// The sampler goes by the trace id, so that all services choose alike.
const RECORDED = '00000000000000000000000000000001';
const LEFT_OUT = 'ffffffff000000000000000000000001';
const SPAN = 'b7ad6b7169203331';

it('a reading that is recorded goes on with a span of its own', async () => {
  const trace = createStartTrace(telemetry.tracer)(`00-${RECORDED}-${SPAN}-00`, Date.now());
  expect(trace?.traceparent).toMatch(new RegExp(`^00-${RECORDED}-(?!${SPAN})[0-9a-f]{16}-01$`));
  trace?.end(new Error('not acknowledged'));
  await telemetry.stop();
  const [span] = exported;
  expect(span).toMatchObject({ name: 'ingest reading', status: { message: 'not acknowledged' } });
  expect(trace?.traceparent).toContain(span?.spanContext().spanId);
});

it('a device does not decide what is recorded', () => {
  const startTrace = createStartTrace(telemetry.tracer);
  expect(startTrace(`00-${LEFT_OUT}-${SPAN}-01`, Date.now())?.traceparent).toBe(`00-${LEFT_OUT}-${SPAN}-00`);
  expect(startTrace('nonsense', Date.now())?.traceparent ?? '-01').toMatch(/-01$/);
});
