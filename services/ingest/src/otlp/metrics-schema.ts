import { otlpResponseSchema, otlpStatusSchema } from '@cellarman/contracts';
import type { ErrorCode } from '@cellarman/contracts';
import { Type } from '@sinclair/typebox';
import { withHeaders } from '../http/documented-headers.ts';
import { PROTOBUF_TYPE } from '../http/otlp-protocol.ts';
import { RACK_ATTRIBUTES } from './read-metrics.ts';

/** The error codes of this route, besides those of every route. Its responses have their messages only. */
export const METRICS_ERRORS = [
  'invalid_batch',
  'invalid_encoding',
  'rate_limited',
  'unavailable',
] as const satisfies readonly ErrorCode[];

const binary = { schema: { type: 'string', format: 'binary' } };
const inBoth = (description: string, schema: object = otlpStatusSchema) => ({
  description,
  content: { 'application/json': { schema }, [PROTOBUF_TYPE]: binary },
});

/** The contract of `POST /v1/metrics`, for OpenAPI. */
export const metricsSchema = {
  tags: ['ingest'],
  operationId: 'exportMetrics',
  summary: 'Send OpenTelemetry metrics (OTLP/HTTP).',
  description: `Each data point of a gauge or sum is a reading. The rack is the first of the attributes ${RACK_ATTRIBUTES.join(', ')} of the data point, its scope or its resource; the keg is the name of the metric, followed by the other attributes of the data point. The status 200 means that all readings are stored on all in-sync replicas of Kafka, except those that \`partialSuccess\` counts. After 429 and 503, send the whole body again. The body may be compressed: \`Content-Encoding\` gzip, deflate, br or zstd.`,
  security: [{ apiKey: [] }, { token: [] }],
  body: {
    content: {
      'application/json': {
        schema: Type.Object(
          { resourceMetrics: Type.Optional(Type.Array(Type.Object({}))) },
          { description: 'ExportMetricsServiceRequest of OTLP.' },
        ),
      },
      [PROTOBUF_TYPE]: binary,
    },
  },
  response: withHeaders(
    {
      200: inBoth('All readings are stored, except those in `partialSuccess`.', otlpResponseSchema),
      400: inBoth('The body is not an ExportMetricsServiceRequest. No reading is stored.'),
      401: inBoth('The API key is missing, unknown, revoked or expired.'),
      413: inBoth('The body is too large, or has too many data points.'),
      415: inBoth('The `Content-Type` or `Content-Encoding` is not supported.'),
      429: inBoth('The rate limit of the API key is exceeded.'),
      500: inBoth('A bug of the service.'),
      503: inBoth('Kafka has not acknowledged all readings.'),
    },
    {
      200: ['RateLimit-Policy', 'RateLimit'],
      401: ['WWW-Authenticate'],
      415: ['Accept-Encoding'],
      429: ['Retry-After', 'RateLimit-Policy', 'RateLimit'],
      503: ['Retry-After', 'RateLimit-Policy', 'RateLimit'],
    },
  ),
};
