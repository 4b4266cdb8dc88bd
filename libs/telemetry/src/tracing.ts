import { context, diag, DiagLogLevel, trace } from '@opentelemetry/api';
import type { DiagLogger } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto';
import type { Resource } from '@opentelemetry/resources';
import { BatchSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace';
import type { SpanExporter } from '@opentelemetry/sdk-trace';
import { reportFailures } from './collector-report.ts';
import type { CollectorReport } from './collector-report.ts';
import type { Logger } from './logger.ts';
import { createSampler } from './sampler.ts';

/**
 * Registers tracing for the process and gives back its stop.
 *
 * The parts of the SDK that we use, and not NodeSDK, which loads an exporter of each protocol
 * (docs/adr/0010-parts-of-the-sdk.md). No auto-instrumentation: it cost 60 % of the throughput.
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
  const provider = new TracerProvider({
    resource,
    spanProcessors: [new BatchSpanProcessor({ exporter })],
    sampler: createSampler({ ratio, trustRemoteParent }),
  });
  trace.setGlobalTracerProvider(provider);
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  return () => provider.shutdown();
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
