import type { ErrorHeaders } from '@cellarman/http-api';
import { Type } from '@sinclair/typebox';

/** Response headers that a client can use, for OpenAPI. Those that every HTTP response has are left out. */
const HEADERS = {
  'Retry-After': Type.Integer({
    minimum: 1,
    description: 'Seconds to wait before sending again. They differ from client to client.',
  }),
  'RateLimit-Policy': Type.String({
    description: 'draft-ietf-httpapi-ratelimit-headers: `q` is the burst, `w` the seconds that fill it.',
    examples: ['"api-key";q=10000;w=10'],
  }),
  RateLimit: Type.String({
    description:
      '`r`: readings that would pass now, as far as this replica knows. With `r=0`, `t` is the seconds until one passes.',
    examples: ['"api-key";r=0;t=1'],
  }),
  'Preference-Applied': Type.Union(
    [Type.Literal('handling=lenient'), Type.Literal('return=representation')],
    { description: 'RFC 7240: the preference of the request that was applied.' },
  ),
  'WWW-Authenticate': Type.String({ description: 'The scheme of the key.' }),
  'Accept-Encoding': Type.String({
    description: 'RFC 9110, 12.5.3: the content encodings supported for a batch, when it has another one.',
  }),
} as const;

/** Schemas, or descriptions with a schema for each media type. */
type Responses = Record<number, object>;
type HeaderName = keyof typeof HEADERS;

/** Adds response headers to the schemas of a route, in the form that @fastify/swagger reads. */
export function withHeaders(responses: Responses, headers: Record<number, readonly HeaderName[]>): Responses {
  return Object.fromEntries(
    Object.entries(responses).map(([status, schema]) => {
      const names = headers[Number(status)] ?? [];
      const documented = Object.fromEntries(names.map((name) => [name, HEADERS[name]]));
      return [status, names.length === 0 ? schema : { ...schema, headers: documented }];
    }),
  );
}

function describe(...names: HeaderName[]): ErrorHeaders[number] {
  return Object.fromEntries(
    names.map((name) => {
      const { description = '', ...schema } = HEADERS[name];
      return [name, { description, schema }];
    }),
  );
}

/** Response headers of errors, for OpenAPI. */
export const ERROR_HEADERS: ErrorHeaders = {
  415: describe('Accept-Encoding'),
  429: describe('Retry-After', 'RateLimit-Policy', 'RateLimit'),
  503: describe('Retry-After'),
};
