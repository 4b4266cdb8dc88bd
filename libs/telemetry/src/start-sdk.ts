import { context, diag, DiagLogLevel, logs, metrics, propagation, trace } from '@opentelemetry/api';
import type { MeterProvider } from '@opentelemetry/api';
import { diagLogLevelFromString, getStringFromEnv, setGlobalErrorHandler } from '@opentelemetry/core';
import type { Resource } from '@opentelemetry/resources';
import type { IMetricReader } from '@opentelemetry/sdk-metrics';
import { NodeSDK } from '@opentelemetry/sdk-node';
import type { Sampler, SpanExporter } from '@opentelemetry/sdk-trace';
import { limitLogAttributes } from './config.ts';
import type { Signals, TelemetryConfig } from './config.ts';
import { createSdkReport } from './sdk-report.ts';
import type { Logger } from './logger.ts';
import { toLogRecord } from './log-record.ts';

export interface RunningSdk {
  meterProvider: MeterProvider;
  /** Takes a line of the log for the collector. */
  exportLine: (line: string) => void;
  stop: () => Promise<void>;
}

/**
 * Has the SDK assemble what the environment configures: exporters and their protocols, batch processors, limits, propagators.
 *
 * No auto-instrumentation: it cost 60 % of the throughput. The providers become the global ones; those of another service in
 * the same process, as in a test, go on.
 */
export async function startSdk(options: {
  signals: Signals;
  resource: Resource;
  scope: { name: string; version: string };
  config: TelemetryConfig;
  prometheus: IMetricReader | undefined;
  sampler: Sampler;
  spanExporter: SpanExporter | undefined;
  logger: Logger;
}): Promise<RunningSdk> {
  const { signals, resource, scope, config, prometheus, sampler, spanExporter, logger } = options;
  const readers = [
    ...(prometheus === undefined ? [] : [prometheus]),
    ...(signals.metrics ? [await createOtlpReader(config)] : []),
  ];
  limitLogAttributes();
  for (const api of [context, logs, metrics, propagation, trace]) api.disable();
  const sdk = new NodeSDK({
    resource,
    // It has been detected, for Prometheus too.
    autoDetectResources: false,
    sampler,
    metricReaders: readers,
    ...(spanExporter === undefined ? {} : { traceExporter: spanExporter }),
    ...(signals.traces ? {} : { spanProcessors: [] }),
    ...(signals.logs ? {} : { logRecordProcessors: [] }),
  });
  const report = createSdkReport(logger);
  diag.setLogger(report.diagLogger, {
    logLevel: diagLogLevelFromString(getStringFromEnv('OTEL_LOG_LEVEL')) ?? DiagLogLevel.WARN,
    suppressOverrideMessage: true,
  });
  setGlobalErrorHandler(report.onError);
  sdk.start();
  const records = logs.getLogger(scope.name, scope.version);
  return {
    meterProvider: metrics.getMeterProvider(),
    // The line is written inside of its trace, which the SDK looks up.
    exportLine: (line) => records.emit(toLogRecord(line)),
    stop: () => sdk.shutdown(),
  };
}

/** The SDK makes readers from the environment only if it makes all of them, with a server of its own for Prometheus. */
async function createOtlpReader(config: TelemetryConfig): Promise<IMetricReader> {
  const { OTEL_METRIC_EXPORT_INTERVAL: exportIntervalMillis, OTEL_METRIC_EXPORT_TIMEOUT: timeout } = config;
  const { PeriodicExportingMetricReader } = await import('@opentelemetry/sdk-metrics');
  const { OTLPMetricExporter } = await importMetricExporter(config);
  return new PeriodicExportingMetricReader({
    exporter: new OTLPMetricExporter(),
    exportIntervalMillis,
    exportTimeoutMillis: Math.min(timeout, exportIntervalMillis),
  });
}

function importMetricExporter(config: TelemetryConfig) {
  const protocol = config.OTEL_EXPORTER_OTLP_METRICS_PROTOCOL ?? config.OTEL_EXPORTER_OTLP_PROTOCOL;
  if (protocol === 'grpc') return import('@opentelemetry/exporter-metrics-otlp-grpc');
  if (protocol === 'http/json') return import('@opentelemetry/exporter-metrics-otlp-http');
  return import('@opentelemetry/exporter-metrics-otlp-proto');
}
