import { authenticationErrorResponseSchema, ingestSuccessSchema } from '@cellarman/contracts';
import { readingSchema } from '@cellarman/reading';
import type { ErrorCode } from '@cellarman/contracts';
import { withHeaders } from './documented-headers.ts';

/** The error codes of this route, besides those of every route. */
export const INGEST_ERRORS = [
  'invalid_reading',
  'timestamp_out_of_range',
  'cellar_mismatch',
  'rack_mismatch',
  'insufficient_scope',
  'rate_limited',
  'unavailable',
] as const satisfies readonly ErrorCode[];

/** The contract of `POST /api/v1/ingest`, for OpenAPI. */
export const ingestSchema = {
  tags: ['ingest'],
  operationId: 'ingestReading',
  summary: 'Send one reading.',
  description:
    'The status 200 means that the reading is stored on all in-sync replicas of Kafka. Sending the same reading again is always safe. `Prefer: return=representation` adds `stored`: its partition and offset in Kafka.',
  security: [{ apiKey: [] }],
  body: readingSchema,
  response: withHeaders(
    { 200: ingestSuccessSchema, 401: authenticationErrorResponseSchema },
    { 200: ['Preference-Applied'], 401: ['WWW-Authenticate'] },
  ),
};
