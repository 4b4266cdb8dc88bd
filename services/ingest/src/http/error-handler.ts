import { INTERNAL_ERROR_MESSAGE, toApiError } from '@cellarman/http-api';
import type { Logger } from '@cellarman/telemetry';
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { readingTooLarge } from './accept-reading.ts';
import type { Answers } from './answers.ts';

/** Responds to what hooks of `libs/http-api` and Fastify itself reject. Everything else is a bug. */
export function createErrorHandler(options: { answers: Answers; logger: Logger; maxBodyBytes: number }) {
  const { answers, logger, maxBodyBytes } = options;

  return function onError(error: FastifyError, request: FastifyRequest, reply: FastifyReply): void {
    const apiError = toApiError(error);
    if (apiError === undefined) {
      logger.error({ err: error, method: request.method, path: request.routeOptions.url }, 'request failed');
      answers.reject(reply, 'internal_error', INTERNAL_ERROR_MESSAGE);
      return;
    }
    const { code, message } = apiError;
    answers.rejectAndClose(
      reply,
      code,
      code === 'payload_too_large' ? readingTooLarge(maxBodyBytes) : message,
    );
  };
}
