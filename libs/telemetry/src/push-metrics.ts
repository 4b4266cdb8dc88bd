import { ExportResultCode } from '@opentelemetry/core';
import { OTLPMetricExporter } from '@opentelemetry/exporter-metrics-otlp-proto';
import type { CollectorReport } from './collector-report.ts';
import type { Metrics } from './metrics.ts';

/**
 * Sends all metrics to a collector every so often, as OTLP protobuf over HTTP, and a last time at the stop.
 *
 * One sending at a time: while the collector is away, what is held is one request, and the sums go on growing, so that nothing
 * is missing when it is back.
 */
export function pushMetrics(options: {
  metrics: Pick<Metrics, 'collect'>;
  url: string;
  intervalMs: number;
  report: CollectorReport;
}): () => Promise<void> {
  const { metrics, url, intervalMs, report } = options;
  const exporter = new OTLPMetricExporter({ url });
  let underWay: Promise<void> | undefined;

  async function push(): Promise<void> {
    try {
      const collected = await metrics.collect();
      await new Promise<void>((resolve) => {
        exporter.export(collected, (result) => {
          report(result);
          resolve();
        });
      });
    } catch (error) {
      report({ code: ExportResultCode.FAILED, error: error as Error });
    }
  }

  function pushUnlessUnderWay(): void {
    underWay ??= push().finally(() => (underWay = undefined));
  }

  const timer = setInterval(pushUnlessUnderWay, intervalMs);
  timer.unref();
  return async () => {
    clearInterval(timer);
    await underWay;
    await push();
    await exporter.shutdown();
  };
}
