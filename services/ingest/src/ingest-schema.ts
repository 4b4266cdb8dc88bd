import {
  authenticationErrorAnswerSchema,
  ERROR_CATALOGUE,
  ingestSuccessSchema,
  errorAnswerSchema,
} from '@cellarman/contracts';
import { readingSchema } from '@cellarman/reading';
import type { ErrorCode } from '@cellarman/contracts';
import { Type } from '@sinclair/typebox';
import type { TSchema } from '@sinclair/typebox';
import { COMMON_HEADERS, withHeaders } from './http/documented-headers.ts';

/** What this route can answer; the rest of the catalogue belongs to other routes. */
const CODES: readonly ErrorCode[] = [
  'invalid_json',
  'invalid_reading',
  'timestamp_out_of_range',
  'cellar_mismatch',
  'rack_mismatch',
  'insufficient_scope',
  'method_not_allowed',
  'request_timeout',
  'payload_too_large',
  'unsupported_media_type',
  'rate_limited',
  'headers_too_large',
  'internal_error',
  'unavailable',
];

/** The answers of a route that can refuse with these codes, by status. */
export function errorAnswers(all: readonly ErrorCode[]): Record<number, TSchema> {
  const answers: Record<number, TSchema> = {};
  for (const { status } of all.map((code) => ERROR_CATALOGUE[code])) {
    const codes = all.filter((code) => ERROR_CATALOGUE[code].status === status);
    answers[status] = Type.Object(
      { ...errorAnswerSchema.properties, code: Type.Union(codes.map((code) => Type.Literal(code))) },
      { additionalProperties: false, description: codes.map((code) => `\`${code}\``).join(', ') },
    );
  }
  return answers;
}

/** The contract of `POST /api/v1/ingest`, for OpenAPI. */
export const ingestSchema = {
  tags: ['ingest'],
  operationId: 'ingestReading',
  summary: 'Send one reading.',
  description:
    'The answer 200 means that the reading is stored on all in-sync replicas of Kafka. Sending the same reading again is always safe.',
  security: [{ apiKey: [] }],
  body: readingSchema,
  response: withHeaders(
    { 200: ingestSuccessSchema, 401: authenticationErrorAnswerSchema, ...errorAnswers(CODES) },
    COMMON_HEADERS,
  ),
};
