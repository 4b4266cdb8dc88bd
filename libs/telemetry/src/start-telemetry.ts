import { randomUUID } from 'node:crypto';
import { trace } from '@opentelemetry/api';
import type { Meter, Tracer } from '@opentelemetry/api';
import {
  defaultResource,
  detectResources,
  resourceAttributesEnvDetector,
  resourceFromAttributes,
} from '@opentelemetry/resources';
import type { SpanExporter } from '@opentelemetry/sdk-trace';
import { tracesUrl } from './config.ts';
import type { TelemetryConfig } from './config.ts';
import { createLogger } from './logger.ts';
import type { Logger } from './logger.ts';
import { noMetrics, startMetrics } from './metrics.ts';
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
  /** Instead of OTLP. @default by the OTEL_ variables; without them nothing is traced */
  spanExporter?: SpanExporter;
  /** @default JSON lines on stdout */
  logger?: Logger;
}

/** The exporter by itself tries for 7 to 10 s when the collector is away; that much of a deadline is not its to take. */
const LAST_SPANS_MS = 2_000;

/** Logs, metrics and traces of one process. */
export interface Telemetry {
  logger: Logger;
  /** Its spans are of the cheap, do-nothing kind while tracing is off. */
  tracer: Tracer;
  meter: Meter;
  /** Prometheus text for `/metrics`. */
  metricsText(): Promise<string>;
  /** Sends what is left. A collector that is away delays it by two seconds at most and does not fail it. */
  stop(): Promise<void>;
}

export async function startTelemetry(options: TelemetryOptions): Promise<Telemetry> {
  const { service, version, config, trustRemoteParent = true } = options;
  const logger = options.logger ?? createLogger({ service, version, level: config.LOG_LEVEL });
  const resource = defaultResource()
    .merge(detectResources({ detectors: [resourceAttributesEnvDetector] }))
    .merge(
      resourceFromAttributes({
        'service.name': service,
        'service.version': version,
        'service.instance.id': randomUUID(),
      }),
    );

  const isDisabled = config.OTEL_SDK_DISABLED === true;
  const metrics = isDisabled ? noMetrics() : startMetrics(resource, { name: service, version });
  const stopObserving = observeProcess(metrics.meter);

  let stopTracing = async (): Promise<void> => {};
  const exportTo = options.spanExporter ?? tracesUrl(config);
  if (exportTo !== undefined && !isDisabled) {
    // Only now: the SDK takes 12 MiB, whether it is used or not.
    const { startTracing } = await import('./tracing.ts');
    const ratio = config.OTEL_TRACES_SAMPLER_ARG;
    stopTracing = startTracing({ resource, exportTo, ratio, trustRemoteParent, logger });
  }

  const stop = async () => {
    stopObserving();
    await within(LAST_SPANS_MS, stopTracing()).catch((error: unknown) =>
      logger.warn({ err: error }, 'the last spans could not be sent'),
    );
    await metrics.stop();
  };
  let stopped: Promise<void> | undefined;

  return {
    logger,
    tracer: trace.getTracer(service, version),
    meter: metrics.meter,
    metricsText: () => metrics.text(),
    stop: () => (stopped ??= stop()),
  };
}

async function within(ms: number, work: Promise<void>): Promise<void> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => late.reject(new Error(`not finished within ${ms} ms`)), ms);
  await Promise.race([work, late.promise]).finally(() => clearTimeout(timer));
}
