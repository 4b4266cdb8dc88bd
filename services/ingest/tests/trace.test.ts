import { startTelemetry } from '@cellarman/telemetry';
import type { Telemetry, TelemetryOptions } from '@cellarman/telemetry';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createStartTrace, passTraceOn } from '../src/trace.ts';

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
      OTEL_METRIC_EXPORT_TIMEOUT: 30_000,
      OTEL_LOGS_EXPORTER: 'none',
    },
    trustRemoteParent: false,
    spanExporter: {
      export: (spans, done) => {
        exported.push(...spans);
        done({ code: 0 });
      },
      shutdown: () => Promise.resolve(),
    },
  });
});
afterAll(() => telemetry.stop());

const TRACE = '0af7651916cd43dd8448eb211c80319c';
const SPAN = 'b7ad6b7169203331';

/** The trace of a device is recorded at random, because a device could choose its ID. */
function startTraceThat(isRecorded: boolean, flags: string) {
  const startTrace = createStartTrace(telemetry);
  for (let attempt = 0; attempt < 200; attempt++) {
    const trace = startTrace({ traceparent: `00-${TRACE}-${SPAN}-${flags}` }, Date.now());
    if ((trace?.context !== undefined) === isRecorded) return trace;
  }
  throw new Error('the sampler always decides alike');
}

it('a reading that is recorded goes on with a span of its own', async () => {
  const trace = startTraceThat(true, '00');
  expect(trace?.traceparent).toMatch(new RegExp(`^00-${TRACE}-(?!${SPAN})[0-9a-f]{16}-01$`));
  trace?.end(new Error('not acknowledged'));
  await telemetry.stop();
  const [span] = exported;
  expect(span).toMatchObject({ name: 'ingest reading', status: { message: 'not acknowledged' } });
  expect(trace?.traceparent).toContain(span?.spanContext().spanId);
});

it('a device does not decide what is recorded, and its flag is passed on to its own consumers', () => {
  const before = exported.length;
  for (const flags of ['00', '01']) {
    const trace = startTraceThat(false, flags);
    expect(trace?.traceparent).toBe(`00-${TRACE}-${SPAN}-${flags}`);
    trace?.end();
  }
  expect(exported).toHaveLength(before);
  expect(createStartTrace(telemetry)({ traceparent: 'nonsense' }, Date.now())?.traceparent ?? '-01').toMatch(
    /-01$/,
  );
});

it.each(['00', '01'])('without tracing the flag %s is passed on', (flags) => {
  const sent = `00-${TRACE}-${SPAN}-${flags}`;
  expect(passTraceOn({ traceparent: sent }, Date.now())?.traceparent).toBe(sent);
});

it('of readings without a trace of their own, the part that is configured begins one', () => {
  const startTrace = createStartTrace(telemetry);
  const begun = Array.from({ length: 400 }, () => startTrace({}, Date.now())).filter(
    (trace) => trace !== undefined,
  );
  // Half of them, give or take eight times the standard deviation.
  expect(begun.length).toBeGreaterThan(120);
  expect(begun.length).toBeLessThan(280);
  for (const { traceparent } of begun) expect(traceparent).toMatch(/^00-[0-9a-f]{32}-[0-9a-f]{16}-01$/);
  expect(new Set(begun.map(({ traceparent }) => traceparent)).size).toBe(begun.length);
});
