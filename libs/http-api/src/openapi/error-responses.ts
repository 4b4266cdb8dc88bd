import { ERROR_CATALOGUE } from '@cellarman/contracts';
import type { ErrorCode } from '@cellarman/contracts';

export interface Header {
  description: string;
  schema: object;
}

/** Response headers of errors, by HTTP status. */
export type ErrorHeaders = Record<number, Record<string, Header>>;

const RETRY_AFTER = {
  'Retry-After': { description: 'Seconds to wait before retrying.', schema: { type: 'integer', minimum: 1 } },
};
const DEFAULT_HEADERS: ErrorHeaders = { 429: RETRY_AFTER, 503: RETRY_AFTER };

/** An error response as a component, named after its codes: `NotFound`, `ForbiddenOrPasswordRequired`. */
export interface ErrorResponse {
  name: string;
  schema: object;
  response: object;
}

/** Returns one response for each HTTP status of these codes. */
export function errorResponsesOf(
  declared: readonly ErrorCode[],
  headers: ErrorHeaders = DEFAULT_HEADERS,
): Map<string, ErrorResponse> {
  const byStatus = Map.groupBy(declared.toSorted(), (code) => ERROR_CATALOGUE[code].status);
  return new Map(
    [...byStatus].map(([status, codes]) => [String(status), toResponse(codes, headers[status])]),
  );
}

function toResponse(codes: ErrorCode[], headers: ErrorHeaders[number] | undefined): ErrorResponse {
  const schema = {
    allOf: [{ $ref: '#/components/schemas/Error' }, { properties: { code: { enum: codes } } }],
  };
  return {
    name: codes.map(pascalCase).join('Or'),
    schema,
    response: {
      description: codes.map((code) => ERROR_CATALOGUE[code].meaning).join(' '),
      ...(headers === undefined ? {} : { headers }),
      content: { 'application/json': { schema } },
    },
  };
}

export function pascalCase(name: string): string {
  return name.replaceAll(/(?:^|[-_])([a-zA-Z])/g, (_, letter: string) => letter.toUpperCase());
}
