import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { negotiate } from '@fastify/accept-negotiator';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

/** Smaller responses fit into one packet anyway. */
const LEAST_BYTES = 1_400;

const [compressBrotli, compressGzip] = [promisify(brotliCompress), promisify(gzip)];
const ENCODERS = {
  // 11, the default, takes a hundred times as long.
  br: (text: string) => compressBrotli(text, { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } }),
  gzip: (text: string) => compressGzip(text),
};
const ENCODINGS = Object.keys(ENCODERS) as (keyof typeof ENCODERS)[];

/**
 * Compresses JSON that was read with GET. Streams are left as they are: a live stream must not wait for a block to fill.
 *
 * BREACH needs a secret and text of the attacker in one compressed response, and requests that another site makes the
 * browser send. Keys, tokens and links are returned by POST only, which is not compressed, and the cookie is
 * `SameSite=Strict`.
 */
export function compressResponses(app: FastifyInstance): void {
  app.addHook('onSend', async (request, reply, payload) => {
    if (!isCompressible(request, reply, payload)) return payload;
    reply.header('vary', [reply.getHeader('vary'), 'accept-encoding'].filter(Boolean).join(', '));
    const encoding = negotiate(request.headers['accept-encoding'] ?? '', ENCODINGS);
    if (encoding === null) return payload;
    reply.header('content-encoding', encoding).removeHeader('content-length');
    return ENCODERS[encoding](payload);
  });
}

function isCompressible(request: FastifyRequest, reply: FastifyReply, payload: unknown): payload is string {
  return (
    request.method === 'GET' &&
    typeof payload === 'string' &&
    payload.length >= LEAST_BYTES &&
    String(reply.getHeader('content-type')).startsWith('application/json')
  );
}
