import { ERROR_CATALOGUE } from '@cellarman/contracts';
import type { ErrorCode } from '@cellarman/contracts';
import type { Logger } from '@cellarman/telemetry';
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { ApiError } from './api-error.ts';
import { checkDeclared } from './declare-errors.ts';
import { RouteNotFound } from './not-found.ts';
import { browserHeaders } from './protect-browsers.ts';

/** `unavailable` mostly passes within a moment. */
const RETRY_AFTER_SECONDS = 1;

export const INTERNAL_ERROR_MESSAGE = 'Internal error. It has been logged';

/** The one place where an error becomes a response. Anything but an `ApiError` is a bug: it is logged and not disclosed. */
export function createErrorHandler({ logger }: { logger: Logger }) {
  return function onError(
    error: FastifyError | ApiError,
    request: FastifyRequest,
    reply: FastifyReply,
  ): void {
    const route = { method: request.method, path: request.routeOptions.url };
    const apiError = toApiError(error);
    if (apiError === undefined) {
      logger.error({ err: error, ...route }, 'request failed');
      send(reply, 'internal_error', INTERNAL_ERROR_MESSAGE);
      return;
    }
    const { code, message, location, retryAfterSeconds } = apiError;
    if (!(apiError instanceof RouteNotFound) && !checkDeclared(request, code))
      logger.error({ code, ...route }, 'undeclared error code returned');
    if (code === 'unavailable') {
      logger.warn({ err: apiError, ...route }, 'request rejected: unavailable');
      reply.header('retry-after', String(retryAfterSeconds ?? RETRY_AFTER_SECONDS));
    } else if (retryAfterSeconds !== undefined) {
      reply.header('retry-after', String(retryAfterSeconds));
    }
    if (location !== undefined) reply.header('location', location);
    send(reply, code, message);
  };
}

/** Translates what Fastify rejects into the error catalogue. Undefined: a bug of ours. */
export function toApiError(error: FastifyError | ApiError): ApiError | undefined {
  if (error instanceof ApiError) return error;
  if (error.validation !== undefined) return new ApiError('invalid_request', error.message);
  switch (error.code) {
    case 'FST_ERR_CTP_BODY_TOO_LARGE':
      return new ApiError('payload_too_large', 'The request body is too large');
    case 'FST_ERR_CTP_INVALID_MEDIA_TYPE':
      return new ApiError('unsupported_media_type', 'Content-Type must be application/json');
    case 'FST_ERR_CTP_INVALID_CONTENT_LENGTH':
      return new ApiError(
        'invalid_json',
        'The request body does not have the length given in Content-Length',
      );
    case 'FST_ERR_BAD_URL':
    case 'FST_ERR_MAX_PARAM_LENGTH':
      return new ApiError('not_found', 'Not found: no route for this path');
    case 'ECONNRESET':
    case 'ECONNABORTED':
      // The client disconnected in the middle of its body. Nobody reads this response.
      return new ApiError('request_timeout', 'The request body did not arrive');
    default:
      return error.statusCode === 400
        ? new ApiError('invalid_json', 'The request body is not valid JSON')
        : undefined;
  }
}

function send(reply: FastifyReply, code: ErrorCode, error: string): void {
  reply
    .code(ERROR_CATALOGUE[code].status)
    .type('application/json; charset=utf-8')
    // Malformed paths bypass the hook that sets them.
    .headers(browserHeaders(reply.request.protocol === 'https'))
    .serializer((body: unknown) => JSON.stringify(body))
    .send({ status: 'error', error, code });
}
