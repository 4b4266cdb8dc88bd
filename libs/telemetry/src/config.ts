import { Type } from '@sinclair/typebox';
import type { Static, TObject } from '@sinclair/typebox';

/** Where the standard says that a collector is, for what is asked for by name. */
const LOCAL_COLLECTOR = 'http://localhost:4318';

/** The variables of logs, metrics and traces; every service spreads them into its `configSchema`. */
export const telemetryVariables = {
  LOG_LEVEL: Type.Union(
    ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'].map((level) => Type.Literal(level)),
    { default: 'info', description: 'The lowest level that is logged.' },
  ),
  OTEL_EXPORTER_OTLP_ENDPOINT: Type.Optional(
    Type.String({
      pattern: '^https?://',
      description:
        'The collector, over OTLP/HTTP; `/v1/traces`, `/v1/metrics` and `/v1/logs` are added. Without it and the next one there is no tracing.',
    }),
  ),
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: wholeAddress('traces'),
  OTEL_EXPORTER_OTLP_METRICS_ENDPOINT: wholeAddress('metrics'),
  OTEL_EXPORTER_OTLP_LOGS_ENDPOINT: wholeAddress('logs'),
  OTEL_TRACES_EXPORTER: choice(['otlp', 'none'], {
    default: 'otlp',
    description: '`none`: no traces, also when there is a collector.',
  }),
  OTEL_TRACES_SAMPLER_ARG: Type.Number({
    minimum: 0,
    maximum: 1,
    default: 0.01,
    description: 'The part of the traces that is recorded.',
  }),
  OTEL_METRICS_EXPORTER: choice(['prometheus', 'otlp', 'prometheus,otlp', 'otlp,prometheus', 'none'], {
    default: 'prometheus',
    description: `\`prometheus\`: at \`/metrics\`. \`otlp\`: to the collector, at ${LOCAL_COLLECTOR} if none is named.`,
  }),
  OTEL_METRIC_EXPORT_INTERVAL: Type.Integer({
    minimum: 100,
    default: 60_000,
    description: 'How often metrics go to the collector, in milliseconds.',
  }),
  OTEL_LOGS_EXPORTER: choice(['none', 'otlp'], {
    default: 'none',
    description: `\`otlp\`: logs go to the collector too, at ${LOCAL_COLLECTOR} if none is named. They are on stdout in any case.`,
  }),
  OTEL_SDK_DISABLED: Type.Optional(
    Type.Boolean({
      description:
        '`true`: no metrics, no traces and nothing to a collector, to find out what they cost. Logs stay on stdout.',
    }),
  ),
};

export type TelemetryConfig = Static<TObject<typeof telemetryVariables>>;

/** The address that spans go to, or nothing when tracing is off. */
export function tracesUrl(config: TelemetryConfig): string | undefined {
  const { OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: whole, OTEL_EXPORTER_OTLP_ENDPOINT: base } = config;
  if (config.OTEL_SDK_DISABLED === true || config.OTEL_TRACES_EXPORTER === 'none') return undefined;
  return whole ?? (base === undefined ? undefined : under(base, 'traces'));
}

/** The address that metrics go to, or nothing when only Prometheus or nobody reads them. */
export function metricsUrl(config: TelemetryConfig): string | undefined {
  const { OTEL_EXPORTER_OTLP_METRICS_ENDPOINT: whole, OTEL_EXPORTER_OTLP_ENDPOINT: base } = config;
  if (config.OTEL_SDK_DISABLED === true || !config.OTEL_METRICS_EXPORTER.includes('otlp')) return undefined;
  return whole ?? under(base ?? LOCAL_COLLECTOR, 'metrics');
}

/** The address that logs go to beside stdout, or nothing. */
export function logsUrl(config: TelemetryConfig): string | undefined {
  const { OTEL_EXPORTER_OTLP_LOGS_ENDPOINT: whole, OTEL_EXPORTER_OTLP_ENDPOINT: base } = config;
  if (config.OTEL_SDK_DISABLED === true || config.OTEL_LOGS_EXPORTER === 'none') return undefined;
  return whole ?? under(base ?? LOCAL_COLLECTOR, 'logs');
}

function under(base: string, signal: string): string {
  return `${base.replace(/\/+$/, '')}/v1/${signal}`;
}

function wholeAddress(signal: string) {
  return Type.Optional(
    Type.String({
      pattern: '^https?://',
      description: `The address for ${signal}, used as it is instead of OTEL_EXPORTER_OTLP_ENDPOINT.`,
    }),
  );
}

function choice<Value extends string>(values: Value[], about: { default: Value; description: string }) {
  return Type.Union(
    values.map((value) => Type.Literal(value)),
    about,
  );
}
