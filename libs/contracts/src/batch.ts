import { readingSchema } from '@cellarman/reading';
import { Type } from '@sinclair/typebox';
import type { Static } from '@sinclair/typebox';
import type { ErrorCode } from './errors.ts';

export const BATCH_PATH = '/api/v1/ingest/batch';

/** One JSON array, or one reading to a line. */
export const NDJSON_TYPES = ['application/x-ndjson', 'application/ndjson'] as const;

/** What `Content-Encoding` of a batch may say, besides `identity`. */
export const BATCH_ENCODINGS = ['gzip', 'deflate', 'br', 'zstd'] as const;
export type BatchEncoding = (typeof BATCH_ENCODINGS)[number];

export const MAX_BATCH_READINGS_DEFAULT = 10_000;

export const batchSchema = Type.Array(readingSchema, {
  title: 'Batch',
  minItems: 1,
  maxItems: MAX_BATCH_READINGS_DEFAULT,
  description: 'Readings, which need not be of one rack. The order of a rack is kept.',
});

/** Why one reading of a batch was not stored: the rejections of a single reading, and Kafka's silence. */
export const BATCH_ERROR_CODES = [
  'invalid_json',
  'invalid_reading',
  'timestamp_out_of_range',
  'payload_too_large',
  'cellar_mismatch',
  'rack_mismatch',
  'insufficient_scope',
  'unavailable',
] as const satisfies readonly ErrorCode[];
export type BatchErrorCode = (typeof BATCH_ERROR_CODES)[number];

export const batchErrorSchema = Type.Object(
  {
    index: Type.Integer({
      minimum: 0,
      description: 'The index of the reading in the array, or among the lines that are not empty, from 0.',
    }),
    error: Type.String({ description: 'The error message for people.' }),
    code: Type.Union(BATCH_ERROR_CODES.map((code) => Type.Literal(code))),
    retryable: Type.Boolean({ description: 'Whether sending this reading again can succeed.' }),
  },
  { title: 'BatchError', additionalProperties: false },
);

export type BatchError = Static<typeof batchErrorSchema>;

const serverTime = Type.String({
  description:
    'When the batch was received: the time of the server, ISO 8601 in UTC with milliseconds, the same as `received_at` in the topic.',
});

/** All readings of the batch are on all in-sync replicas of Kafka. */
export const batchSuccessSchema = Type.Object(
  {
    status: Type.Literal('success'),
    accepted: Type.Integer({ minimum: 1, description: 'How many readings the batch had; all are stored.' }),
    timestamp: serverTime,
  },
  { title: 'BatchSuccess', additionalProperties: false },
);

export type BatchSuccess = Static<typeof batchSuccessSchema>;

/** Some or all readings were rejected or not acknowledged. Those that `errors` does not list are stored. */
export const batchPartialSchema = Type.Object(
  {
    status: Type.Literal('partial'),
    accepted: Type.Integer({ minimum: 0, description: 'How many readings are stored.' }),
    rejected: Type.Integer({ minimum: 1, description: 'How many are not: one for each of `errors`.' }),
    timestamp: serverTime,
    errors: Type.Array(batchErrorSchema, { description: 'Every reading that was not stored, by index.' }),
  },
  { title: 'BatchPartial', additionalProperties: false },
);

export type BatchPartial = Static<typeof batchPartialSchema>;
