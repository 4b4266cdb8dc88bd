import { createNoopMeter } from '@opentelemetry/api';
import type { Meter } from '@opentelemetry/api';
import { PrometheusExporter, PrometheusSerializer } from '@opentelemetry/exporter-prometheus';
import type { Resource } from '@opentelemetry/resources';
import { MeterProvider } from '@opentelemetry/sdk-metrics';
import type { ResourceMetrics } from '@opentelemetry/sdk-metrics';
import type { TelemetryConfig } from './config.ts';
import { createExemplars } from './exemplars.ts';
import { toOpenMetrics } from './open-metrics.ts';

/** `text` is the older one of Prometheus, `openmetrics` has exemplars. */
export type MetricsFormat = 'text' | 'openmetrics';

export interface Metrics {
  meter: Meter;
  /** Everything as it is now. */
  collect(): Promise<ResourceMetrics>;
  /** The same for Prometheus. */
  write(format: MetricsFormat): Promise<string>;
  stop(): Promise<void>;
}

/**
 * Metrics that are read when somebody asks: Prometheus, or the timer of `push-metrics.ts`. Both share one reader, because each
 * reader of the SDK adds the cost of its own sums to every measurement.
 *
 * The provider is not the global one: two services in one process, as in a test, must not share numbers.
 */
export function startMetrics(options: {
  resource: Resource;
  scope: { name: string; version: string };
  config: Pick<TelemetryConfig, 'OTEL_METRICS_EXPORTER' | 'OTEL_SDK_DISABLED'>;
}): Metrics {
  const { resource, scope, config } = options;
  if (config.OTEL_SDK_DISABLED === true) return noMetrics('OTEL_SDK_DISABLED is set');
  if (config.OTEL_METRICS_EXPORTER === 'none') return noMetrics('OTEL_METRICS_EXPORTER is none');

  const reader = new PrometheusExporter({ preventServerStart: true });
  const provider = new MeterProvider({ resource, readers: [reader] });
  const serializer = new PrometheusSerializer('', false, undefined, false, true);
  const exemplars = createExemplars();

  async function collect(): Promise<ResourceMetrics> {
    const { resourceMetrics, errors } = await reader.collect();
    // Half of the numbers would look like a quiet service.
    if (errors.length > 0) throw new AggregateError(errors, 'metrics could not be collected');
    return resourceMetrics;
  }

  return {
    meter: exemplars.observe(provider.getMeter(scope.name, scope.version)),
    collect,
    async write(format) {
      if (!config.OTEL_METRICS_EXPORTER.includes('prometheus'))
        return nothing('OTEL_METRICS_EXPORTER is otlp', format);
      const collected = await collect();
      return format === 'openmetrics' ? toOpenMetrics(collected, exemplars) : serializer.serialize(collected);
    },
    stop: () => provider.shutdown(),
  };
}

/** Instruments that forget what they are told. */
function noMetrics(reason: string): Metrics {
  return {
    meter: createNoopMeter(),
    collect: () => Promise.reject(new Error(`there are no metrics: ${reason}`)),
    write: (format) => Promise.resolve(nothing(reason, format)),
    stop: () => Promise.resolve(),
  };
}

/** OpenMetrics has no comments. */
function nothing(reason: string, format: MetricsFormat): string {
  return format === 'openmetrics' ? '# EOF\n' : `# ${reason}\n`;
}
