import {
  authenticationErrorResponseSchema,
  batchPartialSchema,
  batchSchema,
  batchSuccessSchema,
  NDJSON_TYPES,
} from '@cellarman/contracts';
import type { ErrorCode } from '@cellarman/contracts';
import { Type } from '@sinclair/typebox';
import { withHeaders } from '../http/documented-headers.ts';

const lines = Type.String({
  description: 'One reading to a line. Lines of nothing but whitespace are passed over.',
});

/** The error codes of this route, besides those of every route. */
export const BATCH_ERRORS = [
  'invalid_batch',
  'invalid_encoding',
  'rate_limited',
  'unavailable',
] as const satisfies readonly ErrorCode[];

const partial = (description: string) => ({
  description,
  content: { 'application/json': { schema: batchPartialSchema } },
});

/** The contract of `POST /api/v1/ingest/batch`, for OpenAPI. */
export const batchRouteSchema = {
  tags: ['ingest'],
  operationId: 'ingestBatch',
  summary: 'Send a batch of readings.',
  description:
    'The status 200 means that all readings are stored on all in-sync replicas of Kafka. 207 means that the readings in `errors` are rejected for good, and all others are stored. 503 means that readings can be sent again: those in `errors` with `retryable`, or all of them where there is no `errors`. Sending the whole batch again is always safe. `Prefer: handling=lenient` turns 207 into 200, `Prefer: return=representation` turns 503 with `errors` into 207. The body may be compressed: `Content-Encoding` gzip, deflate, br or zstd.',
  security: [{ apiKey: [] }],
  body: {
    content: {
      'application/json': { schema: batchSchema },
      ...Object.fromEntries(NDJSON_TYPES.map((type) => [type, { schema: lines }])),
    },
  },
  response: withHeaders(
    {
      200: Type.Union([batchSuccessSchema, batchPartialSchema], {
        description:
          'All readings are stored. With `Prefer: handling=lenient`: all but those in `errors`, which are rejected for good.',
      }),
      207: partial(
        'All readings but those in `errors` are stored. Sending those again does not help, unless `retryable` is true, which needs `Prefer: return=representation`.',
      ),
      401: authenticationErrorResponseSchema,
      // The errors of these statuses are added as alternatives.
      400: partial(
        'The batch is malformed, or none of its readings is valid: then `errors` lists each of them.',
      ),
      503: partial(
        '`unavailable`: nothing was acknowledged. With `errors`: all other readings are stored, and those with `retryable` can be sent again.',
      ),
    },
    {
      401: ['WWW-Authenticate'],
      200: ['RateLimit-Policy', 'RateLimit', 'Preference-Applied'],
      207: ['RateLimit-Policy', 'RateLimit', 'Preference-Applied', 'Retry-After'],
      400: ['RateLimit-Policy', 'RateLimit'],
      503: ['Retry-After', 'RateLimit-Policy', 'RateLimit'],
    },
  ),
};
