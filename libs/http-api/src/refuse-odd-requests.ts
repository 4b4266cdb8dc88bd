import { oddityOf } from '@cellarman/lifecycle';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Refusal } from './refusal.ts';

/** Requests that a proxy in front could have read otherwise. */
export async function refuseOddRequests(request: FastifyRequest, reply: FastifyReply): Promise<void> {
  const oddity = oddityOf(request.raw, reply.raw);
  if (oddity === undefined) return;
  reply.header('connection', 'close');
  throw new Refusal('invalid_request', `${oddity}.`);
}
