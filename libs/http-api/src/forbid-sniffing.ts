import type { FastifyReply, FastifyRequest } from 'fastify';

/** No browser may take an answer for something else than its `Content-Type` says, such as a name in it for a script. */
export async function forbidSniffing(_request: FastifyRequest, reply: FastifyReply): Promise<void> {
  reply.header('x-content-type-options', 'nosniff');
}
