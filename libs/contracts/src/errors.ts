import { Type } from '@sinclair/typebox';
import type { Static } from '@sinclair/typebox';

interface CatalogueEntry {
  /** HTTP status. */
  status: number;
  /** What happened and what to do, for `docs/errors.md`. */
  meaning: string;
  /** Whether sending the same request again later can succeed. */
  retryable: boolean;
}

/** Every value of `code` in an error response. Documents and types are generated from it. */
export const ERROR_CATALOGUE = {
  invalid_json: {
    status: 400,
    meaning: 'The request body is not valid JSON in UTF-8. Fix the client.',
    retryable: false,
  },
  invalid_reading: {
    status: 400,
    meaning:
      'A field of the reading is missing, unknown, duplicated, of the wrong type or out of range. The message names the field.',
    retryable: false,
  },
  timestamp_out_of_range: {
    status: 400,
    meaning:
      'The timestamp is further in the future than the allowed clock skew, or older than the retention of the cellar. The message has the server time: set the clock of the device.',
    retryable: false,
  },
  invalid_batch: {
    status: 400,
    meaning: 'The body of a batch is not a JSON array, or it has no readings. Nothing was stored.',
    retryable: false,
  },
  invalid_encoding: {
    status: 400,
    meaning:
      'The body of the batch cannot be decompressed with its `Content-Encoding`, or has data after the compressed data. Nothing was stored.',
    retryable: false,
  },
  invalid_request: {
    status: 400,
    meaning:
      'The request is not valid HTTP, or a request to the management API does not match the documented schema. The message has the reason.',
    retryable: false,
  },
  query_too_expensive: {
    status: 400,
    meaning:
      'The query exceeds the time or memory limit of one query. Use a shorter range, a larger step or fewer racks.',
    retryable: false,
  },
  unauthenticated: {
    status: 401,
    meaning:
      'There is no session, or it has ended: sign in again. For the read API: the API key is missing, invalid or expired.',
    retryable: false,
  },
  invalid_claim_code: {
    status: 401,
    meaning:
      'The claim code is unknown, revoked or expired. Create another one, and configure it in the device.',
    retryable: false,
  },
  claim_code_used_up: {
    status: 403,
    meaning: 'All keys of the claim code are claimed. Create another claim code.',
    retryable: false,
  },
  cellar_mismatch: {
    status: 403,
    meaning: 'The API key belongs to a different cellar than the reading.',
    retryable: false,
  },
  rack_mismatch: {
    status: 403,
    meaning: 'The API key or the claim code is restricted to a different rack or rack prefix.',
    retryable: false,
  },
  insufficient_scope: {
    status: 403,
    meaning: 'The API key lacks the scope that the route requires.',
    retryable: false,
  },
  forbidden: {
    status: 403,
    meaning: 'The account does not have permission, or the request comes from another site.',
    retryable: false,
  },
  password_required: {
    status: 403,
    meaning:
      'The action requires a recent password confirmation: call `POST /api/v1/session/confirm`, then retry.',
    retryable: false,
  },
  not_found: {
    status: 404,
    meaning: 'No route has this path, or the resource does not exist.',
    retryable: false,
  },
  method_not_allowed: {
    status: 405,
    meaning: 'The path does not support this method. The `Allow` header lists those that it supports.',
    retryable: false,
  },
  request_timeout: {
    status: 408,
    meaning: 'The headers or the body were not received in time. Nothing was stored.',
    retryable: true,
  },
  conflict: {
    status: 409,
    meaning: 'The name already exists, or the current state does not allow the change.',
    retryable: false,
  },
  rack_claimed: {
    status: 409,
    meaning:
      'The rack has an active API key, or this device claimed a key that is no longer active. Revoke the key of the rack if the device was replaced.',
    retryable: false,
  },
  payload_too_large: {
    status: 413,
    meaning: 'The body or a reading of the batch is too large, or the batch has too many readings.',
    retryable: false,
  },
  unsupported_media_type: {
    status: 415,
    meaning:
      'The `Content-Type` or `Content-Encoding` is not supported. Only batches can be NDJSON or compressed.',
    retryable: false,
  },
  rate_limited: {
    status: 429,
    meaning:
      'The rate limit of the API key, of the claim code, or of requests without a session is exceeded. Retry after `Retry-After` seconds.',
    retryable: true,
  },
  headers_too_large: {
    status: 431,
    meaning: 'The headers, or the path with its query string, are too large.',
    retryable: false,
  },
  internal_error: {
    status: 500,
    meaning: 'A bug or a failure of the service. The reason is in its log, not in the response.',
    retryable: true,
  },
  unavailable: {
    status: 503,
    meaning:
      'Kafka did not acknowledge in time, the key could not be looked up, or readings cannot be queried now. Retry after `Retry-After` seconds: retries are always safe, even if the reading was stored. If the response to a batch lists readings, all others are stored.',
    retryable: true,
  },
} as const satisfies Record<string, CatalogueEntry>;

export type ErrorCode = keyof typeof ERROR_CATALOGUE;

export const ERROR_CODES = Object.keys(ERROR_CATALOGUE) as ErrorCode[];

/** Every error response but the 401 of ingest has exactly this shape. */
export const errorResponseSchema = Type.Object(
  {
    status: Type.Literal('error'),
    error: Type.String({ description: 'The error message for people.' }),
    code: Type.Union(ERROR_CODES.map((code) => Type.Literal(code))),
  },
  { title: 'Error', additionalProperties: false },
);

export interface ErrorBody {
  status: 'error';
  error: string;
  code: ErrorCode;
}

/**
 * The texts of a key that may not send a reading. The names in it are not repeated: they are the client's text, and terminals
 * and logs show it.
 */
export const MISSING_RIGHTS = {
  cellar_mismatch: 'The API key belongs to another cellar',
  rack_mismatch: 'The API key is restricted to another rack or rack prefix',
  insufficient_scope: 'The API key lacks the scope "ingest"',
} as const;

/** The three reasons for a 401 of ingest, to the letter of the specification. A revoked key reads as one that is not valid. */
export const AUTHENTICATION_ERRORS = {
  invalid: 'Invalid API key',
  expired: 'API key has expired',
  absent: 'API key is required',
} as const;

export const authenticationErrorResponseSchema = Type.Object(
  {
    error: Type.Union(Object.values(AUTHENTICATION_ERRORS).map((text) => Type.Literal(text))),
    status: Type.Literal(401),
  },
  { title: 'AuthenticationError', additionalProperties: false },
);

export type AuthenticationErrorResponse = Static<typeof authenticationErrorResponseSchema>;
