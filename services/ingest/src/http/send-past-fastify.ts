import type { FastifyReply } from 'fastify';

export const JSON_TYPE = 'application/json; charset=utf-8';

/**
 * Sends frequent or large responses, bypassing Fastify, which would look for serializers and hooks that are not there.
 *
 * @param headers name, value, name, value, besides those that every response has
 */
export function sendPastFastify(
  reply: FastifyReply,
  status: number,
  body: string | Buffer,
  headers: readonly string[] = [],
  type: string = JSON_TYPE,
): void {
  reply.hijack();
  // RFC 9110, 8.6: a 204 has no length.
  if (status === 204) {
    reply.raw.writeHead(204, ['x-content-type-options', 'nosniff', ...headers]);
    reply.raw.end();
    return;
  }
  reply.raw.writeHead(status, [
    'content-type',
    type,
    'x-content-type-options',
    'nosniff',
    'content-length',
    String(Buffer.byteLength(body)),
    ...headers,
  ]);
  reply.raw.end(body);
}
