import { createNoopMeter } from '@opentelemetry/api';
import type { Meter, MeterProvider } from '@opentelemetry/api';
import { PrometheusExporter, PrometheusSerializer } from '@opentelemetry/exporter-prometheus';
import { createExemplars } from './exemplars.ts';
import { toOpenMetrics } from './open-metrics.ts';

/** `text` is the older one of Prometheus, `openmetrics` has exemplars. */
export type MetricsFormat = 'text' | 'openmetrics';

export interface Metrics {
  meter: Meter;
  /** Everything as it is now. */
  write(format: MetricsFormat): Promise<string>;
}

/** Reads for `/metrics`, on a server of ours: the SDK's own would take another port, and has neither TLS nor exemplars. */
export function createPrometheusReader(): PrometheusExporter {
  return new PrometheusExporter({ preventServerStart: true });
}

/** @param reader for Prometheus, if it is to have the metrics */
export function createMetrics(
  provider: MeterProvider,
  scope: { name: string; version: string },
  reader: PrometheusExporter | undefined,
): Metrics {
  const serializer = new PrometheusSerializer('', false, undefined, false, true);
  const exemplars = createExemplars();
  const meter = provider.getMeter(scope.name, scope.version);
  if (reader === undefined) return { meter, write: writeNothing('OTEL_METRICS_EXPORTER is otlp') };
  return {
    meter: exemplars.observe(meter),
    async write(format) {
      const { resourceMetrics, errors } = await reader.collect();
      // Half of the numbers would look like a quiet service.
      if (errors.length > 0) throw new AggregateError(errors, 'metrics could not be collected');
      return format === 'openmetrics'
        ? toOpenMetrics(resourceMetrics, exemplars)
        : serializer.serialize(resourceMetrics);
    },
  };
}

/** Instruments that record nothing. */
export function noMetrics(reason: string): Metrics {
  return { meter: createNoopMeter(), write: writeNothing(reason) };
}

/** OpenMetrics has no comments. */
function writeNothing(reason: string) {
  return (format: MetricsFormat) => Promise.resolve(format === 'openmetrics' ? '# EOF\n' : `# ${reason}\n`);
}
