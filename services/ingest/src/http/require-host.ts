import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Answers } from './answers.ts';

/** HTTP/1.1 asks for a 400 without `Host` (RFC 9112, 3.2). Node's own has no body. */
export function createRequireHost(answers: Answers) {
  return function requireHost({ raw }: FastifyRequest, reply: FastifyReply, done: () => void): void {
    if (raw.headers.host === undefined && raw.httpVersionMinor === 1) {
      answers.refuseAndClose(reply, 'invalid_request', 'The header Host is required');
      return;
    }
    done();
  };
}
