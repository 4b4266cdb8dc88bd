import type { Logger } from '@cellarman/telemetry';
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { readingTooLarge } from './accept-reading.ts';
import type { Answers } from './answers.ts';

/** What Fastify itself refuses, told in the words of the catalogue. Everything else is a fault of ours. */
export function createErrorHandler(options: { answers: Answers; logger: Logger; maxBodyBytes: number }) {
  const { answers, logger, maxBodyBytes } = options;

  return function onError(error: FastifyError, request: FastifyRequest, reply: FastifyReply): void {
    switch (error.code) {
      case 'FST_ERR_CTP_BODY_TOO_LARGE':
        answers.refuseAndClose(reply, 'payload_too_large', readingTooLarge(maxBodyBytes));
        return;
      case 'FST_ERR_CTP_INVALID_MEDIA_TYPE':
        answers.refuseAndClose(reply, 'unsupported_media_type', 'Content-Type must be application/json');
        return;
      case 'FST_ERR_CTP_INVALID_CONTENT_LENGTH':
        answers.refuseAndClose(
          reply,
          'invalid_json',
          'The body is shorter or longer than Content-Length says',
        );
        return;
      case 'FST_ERR_BAD_URL':
      case 'FST_ERR_MAX_PARAM_LENGTH':
        answers.refuseAndClose(reply, 'not_found', 'There is nothing at this address');
        return;
      case 'ECONNRESET':
      case 'ECONNABORTED':
        // The client has gone in the middle of its body. Nobody reads this answer.
        answers.refuseAndClose(reply, 'request_timeout', 'The body did not arrive');
        return;
      default:
        logger.error(
          { err: error, method: request.method, path: request.routeOptions.url },
          'a request failed',
        );
        answers.refuse(reply, 'internal_error', 'The service failed; it has been logged');
    }
  };
}
