import { findAmbiguity } from '@cellarman/lifecycle';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ApiError } from './api-error.ts';

/** Rejects requests that a proxy in front could have parsed differently. With a callback: no promise per request. */
export function rejectAmbiguousRequests(
  request: FastifyRequest,
  reply: FastifyReply,
  done: (error?: Error) => void,
): void {
  const ambiguity = findAmbiguity(request.raw, reply.raw);
  if (ambiguity === undefined) {
    done();
    return;
  }
  reply.header('connection', 'close');
  done(new ApiError('invalid_request', ambiguity));
}
