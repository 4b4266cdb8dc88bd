import { Type } from '@sinclair/typebox';
import type { Static, TObject } from '@sinclair/typebox';

/** The part of new traces that is recorded where no sampler is configured. */
const DEFAULT_RATIO = 0.01;

/**
 * The variables of logs, metrics and traces that have a default of ours, or that must be valid for the start; every service spreads
 * them into its `configSchema`. All others of OpenTelemetry are read by its SDK.
 */
export const telemetryVariables = {
  LOG_LEVEL: Type.Union(
    ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'].map((level) => Type.Literal(level)),
    { default: 'info', description: 'The minimum log level.' },
  ),
  OTEL_EXPORTER_OTLP_ENDPOINT: Type.Optional(
    Type.String({
      pattern: '^https?://',
      description:
        'The OTLP endpoint of the collector; over HTTP `/v1/traces`, `/v1/metrics` and `/v1/logs` are appended. Traces are exported when it or the next one is set.',
    }),
  ),
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: signalEndpoint('traces'),
  OTEL_EXPORTER_OTLP_METRICS_ENDPOINT: signalEndpoint('metrics'),
  OTEL_EXPORTER_OTLP_LOGS_ENDPOINT: signalEndpoint('logs'),
  OTEL_EXPORTER_OTLP_PROTOCOL: protocol('OTLP. `http/protobuf` by default.'),
  OTEL_EXPORTER_OTLP_METRICS_PROTOCOL: protocol(
    'metrics, instead of OTEL_EXPORTER_OTLP_PROTOCOL. There is one for TRACES and LOGS too.',
  ),
  OTEL_TRACES_EXPORTER: Type.Optional(
    Type.String({
      pattern: '^(none|(otlp|zipkin|console)(,(otlp|zipkin|console))*)$',
      description:
        '`otlp`, `zipkin`, `console`, several separated by commas, or `none`. By default `otlp` if an endpoint for traces is set, otherwise `none`.',
    }),
  ),
  OTEL_TRACES_SAMPLER: Type.Optional(
    Type.Union(
      [
        'always_on',
        'always_off',
        'traceidratio',
        'parentbased_always_on',
        'parentbased_always_off',
        'parentbased_traceidratio',
      ].map((sampler) => Type.Literal(sampler)),
      {
        description: `The sampler. By default \`parentbased_traceidratio\` with ${DEFAULT_RATIO}.`,
      },
    ),
  ),
  OTEL_TRACES_SAMPLER_ARG: Type.Optional(
    Type.Number({
      minimum: 0,
      maximum: 1,
      description: `The fraction of traces that is recorded. ${DEFAULT_RATIO} by default, 1 if OTEL_TRACES_SAMPLER is set.`,
    }),
  ),
  OTEL_PROPAGATORS: Type.Optional(
    Type.String({
      pattern: '^(none|(tracecontext|baggage|b3|b3multi)(,(tracecontext|baggage|b3|b3multi))*)$',
      description:
        'The propagation formats of requests: `tracecontext`, `baggage`, `b3`, `b3multi`, separated by commas, or `none`. By default `tracecontext`.',
    }),
  ),
  OTEL_METRICS_EXPORTER: choice(['prometheus', 'otlp', 'prometheus,otlp', 'otlp,prometheus', 'none'], {
    default: 'prometheus',
    description: '`prometheus`: at `/metrics`. `otlp`: to the collector, by default at `localhost`.',
  }),
  OTEL_METRIC_EXPORT_INTERVAL: Type.Integer({
    minimum: 100,
    default: 60_000,
    description: 'Interval of metric exports, in milliseconds.',
  }),
  OTEL_METRIC_EXPORT_TIMEOUT: Type.Integer({
    minimum: 1,
    default: 30_000,
    description: 'Timeout of a metric export, in milliseconds; at most the interval.',
  }),
  OTEL_LOGS_EXPORTER: choice(['none', 'otlp'], {
    default: 'none',
    description:
      '`otlp`: logs are also exported to the collector, by default at `localhost`. They are always on stdout.',
  }),
  OTEL_SDK_DISABLED: Type.Optional(
    Type.Boolean({
      description:
        '`true`: disables metrics, traces and exports, to measure their cost. Logs stay on stdout.',
    }),
  ),
};

export type TelemetryConfig = Static<TObject<typeof telemetryVariables>>;

export interface Signals {
  /** At `/metrics`. */
  prometheus: boolean;
  /** Pushed. */
  metrics: boolean;
  traces: boolean;
  logs: boolean;
}

/** Returns where telemetry goes. */
export function signalsOf(config: TelemetryConfig): Signals {
  if (config.OTEL_SDK_DISABLED === true)
    return { prometheus: false, metrics: false, traces: false, logs: false };
  const endpoint = config.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT ?? config.OTEL_EXPORTER_OTLP_ENDPOINT;
  const metrics = config.OTEL_METRICS_EXPORTER.split(',');
  return {
    prometheus: metrics.includes('prometheus'),
    metrics: metrics.includes('otlp'),
    traces: (config.OTEL_TRACES_EXPORTER ?? (endpoint === undefined ? 'none' : 'otlp')) !== 'none',
    logs: config.OTEL_LOGS_EXPORTER === 'otlp',
  };
}

/** A longer attribute, such as a stack, is cut on its way to the collector: stdout has the whole of it. */
const MAX_LOG_ATTRIBUTE_LENGTH = '8192';

/** Sets the limit of the SDK, which has none and takes it from the environment alone, unless the operator has set one. */
export function limitLogAttributes(env = process.env): void {
  env['OTEL_LOGRECORD_ATTRIBUTE_VALUE_LENGTH_LIMIT'] ??=
    env['OTEL_ATTRIBUTE_VALUE_LENGTH_LIMIT'] ?? MAX_LOG_ATTRIBUTE_LENGTH;
}

export interface Sampling {
  /** The part of new traces that is recorded. */
  ratio: number;
  /** Whether a span of a trace that came from elsewhere follows it. */
  isParentBased: boolean;
}

/** Returns what OTEL_TRACES_SAMPLER and its argument stand for. */
export function samplingOf(config: TelemetryConfig): Sampling {
  const { OTEL_TRACES_SAMPLER: name, OTEL_TRACES_SAMPLER_ARG: argument } = config;
  const ratio = argument ?? (name === undefined ? DEFAULT_RATIO : 1);
  return {
    ratio: name?.endsWith('always_on') === true ? 1 : name?.endsWith('always_off') === true ? 0 : ratio,
    isParentBased: name?.startsWith('parentbased_') ?? true,
  };
}

function signalEndpoint(signal: string) {
  return Type.Optional(
    Type.String({
      pattern: '^https?://',
      description: `The endpoint for ${signal}, used as it is instead of OTEL_EXPORTER_OTLP_ENDPOINT.`,
    }),
  );
}

function protocol(of: string) {
  return Type.Optional(
    Type.Union(
      (['http/protobuf', 'http/json', 'grpc'] as const).map((name) => Type.Literal(name)),
      { description: `The protocol of ${of}` },
    ),
  );
}

function choice<Value extends string>(values: Value[], about: { default: Value; description: string }) {
  return Type.Union(
    values.map((value) => Type.Literal(value)),
    about,
  );
}
