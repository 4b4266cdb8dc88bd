import { writeErrorSchema, writePartialSchema } from '@cellarman/contracts';
import type { ErrorCode } from '@cellarman/contracts';
import { Type } from '@sinclair/typebox';
import { withHeaders } from '../http/documented-headers.ts';
import { RACK_TAGS } from './read-line-protocol.ts';

/** The error codes of these routes, besides those of every route. */
export const WRITE_ERRORS = [
  'invalid_batch',
  'invalid_encoding',
  'cellar_mismatch',
  'rate_limited',
  'unavailable',
] as const satisfies readonly ErrorCode[];

const json = (description: string, schema: object = writeErrorSchema) => ({
  description,
  content: { 'application/json': { schema } },
});

/**
 * The contract of `POST /api/v2/write` and `POST /write`, for OpenAPI.
 *
 * @param bucket the parameter that names the cellar
 */
export function writeSchema(bucket: 'bucket' | 'db') {
  const isV1 = bucket === 'db';
  return {
    tags: ['ingest'],
    operationId: isV1 ? 'writeLineProtocolV1' : 'writeLineProtocol',
    summary: `Send InfluxDB line protocol${isV1 ? ', as to InfluxDB 1' : ''}.`,
    description: `Each field of a line is a reading. The rack is the first of the tags ${RACK_TAGS.join(', ')}; the keg is \`measurement.field\`, followed by the other tags. The status 204 means that all readings are stored on all in-sync replicas of Kafka, 400 with \`errors\` that all others are. After 429 and 503, send the whole body again. The body may be compressed: \`Content-Encoding\` gzip, deflate, br or zstd.`,
    security: [{ apiKey: [] }, { token: [] }],
    querystring: Type.Object({
      [bucket]: Type.String({ minLength: 1, description: 'The cellar of the API key.' }),
      precision: Type.Optional(
        Type.Union(
          ['ns', 'us', 'ms', 's'].map((name) => Type.Literal(name)),
          { description: 'Of the timestamps. Nanoseconds if absent.' },
        ),
      ),
    }),
    body: {
      content: {
        'text/plain': {
          schema: Type.String({
            description: 'Lines: `measurement,tag=value field=1.5 1795240200000000000`',
          }),
        },
      },
    },
    response: withHeaders(
      {
        204: { description: 'All readings are stored.', type: 'null' },
        400: json(
          'With `errors`: all other readings are stored.',
          Type.Union([writeErrorSchema, writePartialSchema]),
        ),
        401: json('The API key is missing, unknown, revoked or expired.'),
        403: json('The bucket is not the cellar of the API key.'),
        413: json('The body is too large, or has too many readings.'),
        415: json('The `Content-Encoding` is not supported.'),
        429: json('The rate limit of the API key is exceeded.'),
        500: json('A bug of the service.'),
        503: json('Kafka has not acknowledged all readings.'),
      },
      {
        204: ['RateLimit-Policy', 'RateLimit', 'Preference-Applied'],
        400: ['RateLimit-Policy', 'RateLimit'],
        401: ['WWW-Authenticate'],
        415: ['Accept-Encoding'],
        429: ['Retry-After', 'RateLimit-Policy', 'RateLimit'],
        503: ['Retry-After', 'RateLimit-Policy', 'RateLimit'],
      },
    ),
  };
}
