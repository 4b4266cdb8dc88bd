import { Type } from '@sinclair/typebox';
import type { Static, TObject } from '@sinclair/typebox';

/** The variables of logs and traces; every service spreads them into its `configSchema`. */
export const telemetryVariables = {
  LOG_LEVEL: Type.Union(
    ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'].map((level) => Type.Literal(level)),
    { default: 'info', description: 'The lowest level that is logged.' },
  ),
  OTEL_EXPORTER_OTLP_ENDPOINT: Type.Optional(
    Type.String({
      pattern: '^https?://',
      description:
        'Where traces go over OTLP/HTTP; `/v1/traces` is added. Without it and the next one there is no tracing.',
    }),
  ),
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: Type.Optional(
    Type.String({ pattern: '^https?://', description: 'The same as a whole address, used as it is.' }),
  ),
  OTEL_TRACES_SAMPLER_ARG: Type.Number({
    minimum: 0,
    maximum: 1,
    default: 0.01,
    description: 'The part of the traces that is recorded.',
  }),
  OTEL_SDK_DISABLED: Type.Optional(
    Type.Boolean({
      description: '`true`: no metrics and no traces, to find out what they cost. Logs stay.',
    }),
  ),
};

export type TelemetryConfig = Static<TObject<typeof telemetryVariables>>;

/** The address that spans go to, or nothing when tracing is off. */
export function tracesUrl(config: TelemetryConfig): string | undefined {
  const { OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: whole, OTEL_EXPORTER_OTLP_ENDPOINT: base } = config;
  return whole ?? (base === undefined ? undefined : `${base.replace(/\/+$/, '')}/v1/traces`);
}
