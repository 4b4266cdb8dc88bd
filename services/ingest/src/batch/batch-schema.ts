import {
  authenticationErrorAnswerSchema,
  batchPartialSchema,
  batchSchema,
  batchSuccessSchema,
  errorAnswerSchema,
  NDJSON_TYPES,
} from '@cellarman/contracts';
import { Type } from '@sinclair/typebox';
import { errorAnswers } from '../ingest-schema.ts';

const lines = Type.String({
  description: 'One reading to a line. Lines of nothing but whitespace are passed over.',
});

const errors = errorAnswers([
  'invalid_json',
  'invalid_batch',
  'invalid_encoding',
  'request_timeout',
  'payload_too_large',
  'unsupported_media_type',
  'rate_limited',
  'headers_too_large',
  'internal_error',
  'unavailable',
]);

/** The contract of `POST /api/v1/ingest/batch`, for OpenAPI. */
export const batchRouteSchema = {
  tags: ['ingest'],
  operationId: 'ingestBatch',
  summary: 'Send many readings at once.',
  description:
    'The answer 200 means that all readings are stored on all in-sync replicas of Kafka, 207 that those are which `errors` does not list. Sending the whole batch again is always safe. The body may be compressed: `Content-Encoding` gzip, deflate, br or zstd.',
  security: [{ apiKey: [] }],
  body: {
    content: {
      'application/json': { schema: batchSchema },
      ...Object.fromEntries(NDJSON_TYPES.map((type) => [type, { schema: lines }])),
    },
  },
  response: {
    200: batchSuccessSchema,
    207: batchPartialSchema,
    401: authenticationErrorAnswerSchema,
    ...errors,
    400: Type.Union([errors[400] ?? errorAnswerSchema, batchPartialSchema], {
      description: 'The batch is none, or none of its readings is acceptable: then each has its own refusal.',
    }),
  },
};
