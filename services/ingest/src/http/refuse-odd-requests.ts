import { oddityOf } from '@cellarman/lifecycle';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Answers } from './answers.ts';

/** Requests that a proxy in front could have read otherwise, and those without a host. */
export function createRefuseOddRequests(answers: Answers) {
  return function refuseOddRequests({ raw }: FastifyRequest, reply: FastifyReply, done: () => void): void {
    const oddity = oddityOf(raw, reply.raw);
    if (oddity === undefined) done();
    else answers.refuseAndClose(reply, 'invalid_request', oddity);
  };
}
