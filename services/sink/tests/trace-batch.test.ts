import { startTelemetry } from '@cellarman/telemetry';
import { expect, it } from 'vitest';
import { Batch } from '../src/batch/batch.ts';
import { createLineBuffers } from '../src/batch/line-buffers.ts';
import { traceBatches } from '../src/store/trace-batch.ts';

it('records one span for a batch, linked to the recorded traces of its readings', async () => {
  const spans: { name: string; links: { context: { traceId: string } }[]; attributes: object }[] = [];
  const telemetry = await startTelemetry({
    service: 'sink',
    version: '0',
    // None of its own: the batch is recorded because a reading in it is.
    config: {
      LOG_LEVEL: 'silent',
      OTEL_TRACES_EXPORTER: 'otlp',
      OTEL_TRACES_SAMPLER_ARG: 0,
      OTEL_METRICS_EXPORTER: 'none',
      OTEL_METRIC_EXPORT_INTERVAL: 60_000,
      OTEL_METRIC_EXPORT_TIMEOUT: 30_000,
      OTEL_LOGS_EXPORTER: 'none',
    },
    spanExporter: {
      export(finished, done) {
        spans.push(...finished);
        done({ code: 0 });
      },
      shutdown: async () => {},
    },
  });
  const store = traceBatches(telemetry.tracer, async (batch) => ({
    rows: batch.rows,
    deadLetters: 0,
    firstReason: undefined,
  }));
  const traced = '0af7651916cd43dd8448eb211c80319c';
  const readings = (traceparents: (string | undefined)[]) => {
    const batch = new Batch({ buffers: createLineBuffers(1), now: 0 });
    traceparents.forEach((traceparent, offset) => {
      const headers = traceparent === undefined ? {} : { traceparent: Buffer.from(traceparent) };
      const message = { key: null, value: null, headers, offset: String(offset), timestamp: '0' };
      batch.addLine(0, message, Buffer.from('{}'));
    });
    return batch;
  };

  const { signal } = new AbortController();
  await store(readings([undefined, `00-${'b'.repeat(32)}-b7ad6b7169203331-00`]), signal);
  await store(readings([undefined, `00-${traced}-b7ad6b7169203331-01`, undefined]), signal);
  await telemetry.stop();

  expect(spans).toMatchObject([
    {
      name: 'store batch',
      links: [{ context: { traceId: traced } }],
      attributes: { 'messaging.batch.message_count': 3, 'cellarman.dead_letters': 0 },
    },
  ]);
});
