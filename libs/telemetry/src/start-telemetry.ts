import { trace } from '@opentelemetry/api';
import type { Meter, Tracer } from '@opentelemetry/api';
import type { SpanExporter } from '@opentelemetry/sdk-trace';
import type { DestinationStream } from 'pino';
import { createCollectorReport } from './collector-report.ts';
import { logsUrl, metricsUrl, tracesUrl } from './config.ts';
import type { TelemetryConfig } from './config.ts';
import { describeProcess } from './describe-process.ts';
import type { LogExport } from './export-logs.ts';
import { createLogger } from './logger.ts';
import type { Logger } from './logger.ts';
import { startMetrics } from './metrics.ts';
import type { MetricsFormat } from './metrics.ts';
import { createBeginTrace } from './new-trace.ts';
import type { BeginTrace } from './new-trace.ts';
import { observeProcess } from './process-metrics.ts';

export interface TelemetryOptions {
  /** `ingest`; becomes `service.name`. */
  service: string;
  version: string;
  /** The service's own config: its schema spreads `telemetryVariables`. */
  config: TelemetryConfig;
  /**
   * False where strangers can send `traceparent`: then they do not decide what is recorded.
   * @default true
   */
  trustRemoteParent?: boolean;
  /** Instead of OTLP, for tests. @default by the OTEL_ variables; without them nothing is traced */
  spanExporter?: SpanExporter;
  /** Where log lines go, for tests. @default stdout */
  stdout?: DestinationStream;
}

/** The exporters by themselves try for 7 to 10 s when the collector is away; that much of a deadline is not theirs to take. */
const LAST_SENDING_MS = 2_000;

/** Logs, metrics and traces of one process. */
export interface Telemetry {
  logger: Logger;
  /** Its spans are of the cheap, do-nothing kind while tracing is off. */
  tracer: Tracer;
  /** False: the tracer records nothing. */
  isTracing: boolean;
  /** Where most traces are not recorded and time matters, asked before the tracer. */
  beginTrace: BeginTrace;
  meter: Meter;
  /** For `/metrics`. @param format @default 'text' */
  metricsText: (format?: MetricsFormat) => Promise<string>;
  /** Sends what is left. A collector that is away delays it by two seconds at most and does not fail it. */
  stop: () => Promise<void>;
}

/** Whatever talks to a collector is loaded only when there is one: the SDK takes memory, whether it is used or not. */
export async function startTelemetry(options: TelemetryOptions): Promise<Telemetry> {
  const { service, version, config, trustRemoteParent = true } = options;
  const scope = { name: service, version };
  const resource = describeProcess(service, version);
  const lastSendings: (() => Promise<void>)[] = [];
  const collector = (signal: string, url: string) => ({
    url,
    report: createCollectorReport({ signal, url, logger: () => logger }),
  });

  let logExport: LogExport | undefined;
  const logsTo = logsUrl(config);
  if (logsTo !== undefined) {
    const { startLogExport } = await import('./export-logs.ts');
    logExport = startLogExport({ resource, scope, ...collector('logs', logsTo) });
    lastSendings.push(logExport.stop);
  }
  const logger = createLogger(
    { service, version, level: config.LOG_LEVEL, copyTo: logExport?.write },
    options.stdout,
  );

  const metrics = startMetrics({ resource, scope, config });
  const stopObserving = observeProcess(metrics.meter);
  const metricsTo = metricsUrl(config);
  if (metricsTo !== undefined) {
    const { pushMetrics } = await import('./push-metrics.ts');
    const intervalMs = config.OTEL_METRIC_EXPORT_INTERVAL;
    lastSendings.push(pushMetrics({ metrics, intervalMs, ...collector('metrics', metricsTo) }));
  }

  const tracesTo = tracesUrl(config);
  const exportTo =
    options.spanExporter ?? (tracesTo === undefined ? undefined : collector('traces', tracesTo));
  if (exportTo !== undefined) {
    const { startTracing } = await import('./tracing.ts');
    const ratio = config.OTEL_TRACES_SAMPLER_ARG;
    lastSendings.push(startTracing({ resource, exportTo, ratio, trustRemoteParent, logger }));
  }

  const stop = async () => {
    stopObserving();
    await within(LAST_SENDING_MS, Promise.all(lastSendings.map((send) => send()))).catch((error: unknown) =>
      logger.warn({ err: error }, 'the last logs, metrics and spans could not be sent'),
    );
    await metrics.stop();
  };
  let stopped: Promise<void> | undefined;

  return {
    logger,
    tracer: trace.getTracer(service, version),
    isTracing: exportTo !== undefined,
    beginTrace: createBeginTrace(exportTo === undefined ? 0 : config.OTEL_TRACES_SAMPLER_ARG),
    meter: metrics.meter,
    metricsText: (format = 'text') => metrics.write(format),
    stop: () => (stopped ??= stop()),
  };
}

async function within(ms: number, work: Promise<unknown>): Promise<void> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => late.reject(new Error(`not finished within ${ms} ms`)), ms);
  await Promise.race([work, late.promise]).finally(() => clearTimeout(timer));
}
