import { INTERNAL_ERROR_MESSAGE, toApiError } from '@cellarman/http-api';
import type { Logger } from '@cellarman/telemetry';
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { readingTooLarge } from './accept-reading.ts';
import type { Responses } from './responses.ts';

/** Responds to what hooks of `libs/http-api` and Fastify itself reject. Everything else is a bug. */
export function createErrorHandler(options: { responses: Responses; logger: Logger; maxBodyBytes: number }) {
  const { responses, logger, maxBodyBytes } = options;

  return function onError(error: FastifyError, request: FastifyRequest, reply: FastifyReply): void {
    const apiError = toApiError(error);
    if (apiError === undefined) {
      logger.error({ err: error, method: request.method, path: request.routeOptions.url }, 'request failed');
      responses.reject(reply, 'internal_error', INTERNAL_ERROR_MESSAGE);
      return;
    }
    const { code, message } = apiError;
    responses.rejectAndClose(
      reply,
      code,
      code === 'payload_too_large' ? readingTooLarge(maxBodyBytes) : message,
    );
  };
}
