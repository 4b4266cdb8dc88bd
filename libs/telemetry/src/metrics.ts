import { createNoopMeter } from '@opentelemetry/api';
import type { Meter } from '@opentelemetry/api';
import { PrometheusExporter, PrometheusSerializer } from '@opentelemetry/exporter-prometheus';
import type { Resource } from '@opentelemetry/resources';
import { MeterProvider } from '@opentelemetry/sdk-metrics';

export interface Metrics {
  meter: Meter;
  /** Everything as Prometheus text. */
  text(): Promise<string>;
  stop(): Promise<void>;
}

/**
 * Metrics that are read when Prometheus asks, without a server of their own.
 *
 * The provider is not the global one: two services in one process, as in a test, must not share numbers.
 */
export function startMetrics(resource: Resource, scope: { name: string; version: string }): Metrics {
  const reader = new PrometheusExporter({ preventServerStart: true });
  const provider = new MeterProvider({ resource, readers: [reader] });
  const serializer = new PrometheusSerializer('', false, undefined, false, true);
  return {
    meter: provider.getMeter(scope.name, scope.version),
    async text() {
      const { resourceMetrics, errors } = await reader.collect();
      // Half of the numbers would look like a quiet service.
      if (errors.length > 0) throw new AggregateError(errors, 'metrics could not be collected');
      return serializer.serialize(resourceMetrics);
    },
    stop: () => provider.shutdown(),
  };
}

/** Instruments that forget what they are told. */
export function noMetrics(): Metrics {
  return {
    meter: createNoopMeter(),
    text: () => Promise.resolve('# OTEL_SDK_DISABLED is set\n'),
    stop: () => Promise.resolve(),
  };
}
