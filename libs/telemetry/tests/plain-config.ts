import type { TelemetryConfig } from '../src/index.ts';

/** What a service has whose environment says nothing, but silent. */
export const plainConfig: TelemetryConfig = {
  LOG_LEVEL: 'silent',
  OTEL_TRACES_SAMPLER_ARG: 1,
  OTEL_METRICS_EXPORTER: 'prometheus',
  OTEL_METRIC_EXPORT_INTERVAL: 60_000,
  OTEL_METRIC_EXPORT_TIMEOUT: 30_000,
  OTEL_LOGS_EXPORTER: 'none',
};
