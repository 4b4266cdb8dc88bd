import { ERROR_CATALOGUE, ERROR_CODES, errorAnswerSchema } from '@cellarman/contracts';
import type { ErrorCode } from '@cellarman/contracts';
import type { Logger } from '@cellarman/telemetry';
import { Type } from '@sinclair/typebox';
import type { TSchema } from '@sinclair/typebox';
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { browserHeaders } from './protect-browsers.ts';
import { Refusal } from './refusal.ts';

/** `unavailable` is mostly over within a moment. */
const RETRY_AFTER_SECONDS = 1;

const RETRY_AFTER = {
  'Retry-After': Type.Integer({ minimum: 1, description: 'Seconds to wait before sending again.' }),
};
/** Statuses of `Refusal`s that have the header. */
const MAY_RETRY: readonly number[] = [429, 503];

/** The part of a route's `response` for these statuses. 431 and 500 are always possible. */
export function errorAnswers(...statuses: number[]): Record<number, TSchema> {
  return Object.fromEntries([...statuses, 431, 500].map((status) => [status, answerSchema(status)]));
}

function answerSchema(status: number): TSchema {
  const codes = ERROR_CODES.filter((code) => ERROR_CATALOGUE[code].status === status);
  return Type.Object(
    { ...errorAnswerSchema.properties, code: Type.Union(codes.map((code) => Type.Literal(code))) },
    {
      additionalProperties: false,
      description: codes.map((code) => ERROR_CATALOGUE[code].meaning).join(' '),
      // The form that @fastify/swagger reads.
      ...(MAY_RETRY.includes(status) && { headers: RETRY_AFTER }),
    },
  );
}

/** The one place where an error becomes an answer. What is not a refusal is a fault: it is logged and not told. */
export function createErrorHandler({ logger }: { logger: Logger }) {
  return function onError(error: FastifyError | Refusal, request: FastifyRequest, reply: FastifyReply): void {
    const refusal = error instanceof Refusal ? error : fromFastify(error);
    if (refusal === undefined) {
      logger.error(
        { err: error, method: request.method, path: request.routeOptions.url },
        'a request failed',
      );
      send(reply, 'internal_error', 'The service failed; it has been logged.');
      return;
    }
    if (refusal.code === 'unavailable') {
      logger.warn(
        { err: refusal, method: request.method, path: request.routeOptions.url },
        'a request has to wait',
      );
      reply.header('retry-after', String(refusal.retryAfterSeconds ?? RETRY_AFTER_SECONDS));
    } else if (refusal.retryAfterSeconds !== undefined) {
      reply.header('retry-after', String(refusal.retryAfterSeconds));
    }
    if (refusal.location !== undefined) reply.header('location', refusal.location);
    send(reply, refusal.code, refusal.message);
  };
}

/** What Fastify itself refuses, told in the words of the catalogue. */
function fromFastify(error: FastifyError): Refusal | undefined {
  if (error.validation !== undefined) return new Refusal('invalid_request', error.message);
  switch (error.code) {
    case 'FST_ERR_CTP_BODY_TOO_LARGE':
      return new Refusal('payload_too_large', 'The body is too large.');
    case 'FST_ERR_CTP_INVALID_MEDIA_TYPE':
      return new Refusal('unsupported_media_type', 'Content-Type must be application/json.');
    case 'FST_ERR_BAD_URL':
    case 'FST_ERR_MAX_PARAM_LENGTH':
      return new Refusal('not_found', 'There is nothing at this address.');
    default:
      return error.statusCode === 400 ? new Refusal('invalid_json', 'The body is not JSON.') : undefined;
  }
}

function send(reply: FastifyReply, code: ErrorCode, error: string): void {
  reply
    .code(ERROR_CATALOGUE[code].status)
    .type('application/json; charset=utf-8')
    // Paths that cannot be read come past the hook that sets them.
    .headers(browserHeaders(reply.request.protocol === 'https'))
    .serializer((answer: unknown) => JSON.stringify(answer))
    .send({ status: 'error', error, code });
}
