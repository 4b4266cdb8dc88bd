import { Type } from '@sinclair/typebox';

/** OTLP/HTTP for metrics, as OpenTelemetry names it. */
export const METRICS_PATH = '/v1/metrics';

/** ExportMetricsServiceResponse. */
export const otlpResponseSchema = Type.Object(
  {
    partialSuccess: Type.Optional(
      Type.Object(
        {
          rejectedDataPoints: Type.Integer({
            minimum: 1,
            description: 'Rejected permanently. All others are stored.',
          }),
          errorMessage: Type.String({ description: 'Why the first of them is rejected.' }),
        },
        { additionalProperties: false },
      ),
    ),
  },
  { title: 'ExportMetricsServiceResponse', additionalProperties: false },
);

/** google.rpc.Status. */
export const otlpStatusSchema = Type.Object(
  { message: Type.String({ description: 'The error message for people.' }) },
  { title: 'Status', additionalProperties: false },
);
