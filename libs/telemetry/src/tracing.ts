import { diag, DiagLogLevel } from '@opentelemetry/api';
import type { DiagLogger } from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto';
import type { Resource } from '@opentelemetry/resources';
import { NodeSDK } from '@opentelemetry/sdk-node';
import { BatchSpanProcessor } from '@opentelemetry/sdk-trace';
import type { SpanExporter } from '@opentelemetry/sdk-trace';
import { reportFailures } from './collector-report.ts';
import type { CollectorReport } from './collector-report.ts';
import type { Logger } from './logger.ts';
import { createSampler } from './sampler.ts';

/**
 * Registers tracing for the process and gives back its stop.
 *
 * Everything that NodeSDK would take from the environment is given: left to itself it exports traces,
 * metrics and logs to localhost:4318. No auto-instrumentation: it cost 60 % of the throughput.
 */
export function startTracing(options: {
  resource: Resource;
  /** A collector gets batches of spans as OTLP protobuf over HTTP. */
  exportTo: SpanExporter | { url: string; report: CollectorReport };
  ratio: number;
  trustRemoteParent: boolean;
  logger: Logger;
}): () => Promise<void> {
  const { resource, exportTo, ratio, trustRemoteParent, logger } = options;
  diag.setLogger(diagLogger(logger), { logLevel: DiagLogLevel.WARN, suppressOverrideMessage: true });
  const exporter = 'url' in exportTo ? exporterTo(exportTo) : exportTo;
  const sdk = new NodeSDK({
    resource,
    autoDetectResources: false,
    spanProcessors: [new BatchSpanProcessor({ exporter })],
    sampler: createSampler({ ratio, trustRemoteParent }),
    metricReaders: [],
    logRecordProcessors: [],
    instrumentations: [],
  });
  sdk.start();
  return () => sdk.shutdown();
}

function exporterTo({ url, report }: { url: string; report: CollectorReport }): SpanExporter {
  const exporter = new OTLPTraceExporter({ url });
  reportFailures(exporter, report);
  return exporter;
}

/** The SDK keeps quiet about what goes wrong unless it is given a logger. Losing spans loses no readings: a warning. */
function diagLogger(logger: Logger): DiagLogger {
  const warn = (message: string, ...details: unknown[]) =>
    logger.warn({ details: details.map(readable) }, `OpenTelemetry: ${message}`);
  const ignore = () => {};
  return { error: warn, warn, info: ignore, debug: ignore, verbose: ignore };
}

/** Errors have no enumerable fields, JSON would print {}. */
function readable(detail: unknown): unknown {
  return detail instanceof Error ? { type: detail.name, message: detail.message } : detail;
}
