import { trace } from '@opentelemetry/api';
import type { Meter, Tracer } from '@opentelemetry/api';
import { MeterProvider } from '@opentelemetry/sdk-metrics';
import type { SpanExporter } from '@opentelemetry/sdk-trace';
import type { DestinationStream } from 'pino';
import { samplingOf, signalsOf } from './config.ts';
import type { TelemetryConfig } from './config.ts';
import { describeProcess } from './describe-process.ts';
import { createExtract } from './extract.ts';
import type { Extract } from './extract.ts';
import { createLogger } from './logger.ts';
import type { Logger } from './logger.ts';
import { createMetrics, createPrometheusReader, noMetrics } from './metrics.ts';
import type { MetricsFormat } from './metrics.ts';
import { createBeginTrace } from './new-trace.ts';
import type { BeginTrace } from './new-trace.ts';
import { observeProcess } from './process-metrics.ts';
import type { RunningSdk } from './start-sdk.ts';

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
  /** Where most traces are not recorded and time matters, called before the tracer. */
  beginTrace: BeginTrace;
  /** Reads the trace of a request from its headers, in the formats that OTEL_PROPAGATORS names. */
  extract: Extract;
  meter: Meter;
  /** For `/metrics`. @param format @default 'text' */
  metricsText: (format?: MetricsFormat) => Promise<string>;
  /** Sends what is left. A collector that is away delays it by two seconds at most and does not fail it. */
  stop: () => Promise<void>;
}

/** The SDK is loaded only when something is exported or propagated by it: it takes memory, whether it is used or not. */
export async function startTelemetry(options: TelemetryOptions): Promise<Telemetry> {
  const { service, version, config, trustRemoteParent = true, spanExporter } = options;
  const scope = { name: service, version };
  const resource = describeProcess(service, version);
  const configured = signalsOf(config);
  const signals = { ...configured, traces: configured.traces || spanExporter !== undefined };
  const sampling = samplingOf(config);

  let sdk: RunningSdk | undefined;
  const logger = createLogger(
    {
      ...{ service, version, level: config.LOG_LEVEL },
      ...(signals.logs ? { copyTo: (line: string) => sdk?.exportLine(line) } : {}),
    },
    options.stdout,
  );

  const prometheus = signals.prometheus ? createPrometheusReader() : undefined;
  const propagates = config.OTEL_PROPAGATORS !== undefined && config.OTEL_SDK_DISABLED !== true;
  if (signals.traces || signals.metrics || signals.logs || propagates) {
    const [{ startSdk }, { createSampler }] = await Promise.all([
      import('./start-sdk.ts'),
      import('./sampler.ts'),
    ]);
    const sampler = createSampler({ ...sampling, trustRemoteParent });
    sdk = await startSdk({ signals, resource, scope, config, prometheus, sampler, spanExporter, logger });
  }
  const meterProvider =
    sdk?.meterProvider ??
    (prometheus === undefined ? undefined : new MeterProvider({ resource, readers: [prometheus] }));
  const metrics =
    meterProvider === undefined || !(signals.prometheus || signals.metrics)
      ? noMetrics(
          config.OTEL_SDK_DISABLED === true ? 'OTEL_SDK_DISABLED is set' : 'OTEL_METRICS_EXPORTER is none',
        )
      : createMetrics(meterProvider, scope, prometheus);
  const stopObserving = observeProcess(metrics.meter);

  const stop = async () => {
    stopObserving();
    await within(LAST_SENDING_MS, sdk?.stop() ?? Promise.resolve(prometheus?.shutdown())).catch(
      (error: unknown) => logger.warn({ err: error }, 'could not send the last logs, metrics and spans'),
    );
  };
  let stopped: Promise<void> | undefined;

  return {
    logger,
    tracer: trace.getTracer(service, version),
    isTracing: signals.traces,
    beginTrace: createBeginTrace(signals.traces ? sampling.ratio : 0),
    extract: createExtract(config),
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
