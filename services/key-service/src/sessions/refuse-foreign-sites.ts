import type { FastifyRequest } from 'fastify';
import { Refusal } from '../http/refusal.ts';
import { bearerTokenIn } from '../tokens/token-format.ts';

const READS = new Set(['GET', 'HEAD', 'OPTIONS']);

/**
 * Refuses a change that a page of another site makes the browser send. The cookie is `SameSite=Strict` already; this
 * holds against sister sites under the same domain too. Scripts send neither header, and no cookie of somebody else.
 * No browser sends a service token by itself, so a request with one is meant, wherever it comes from.
 *
 * https://web.dev/articles/fetch-metadata
 */
export async function refuseForeignSites(request: FastifyRequest): Promise<void> {
  if (bearerTokenIn(request.headers.authorization) !== undefined) return;
  if (!READS.has(request.method) && isForeign(request)) {
    throw new Refusal('forbidden', 'This request comes from a page of another site.');
  }
}

function isForeign(request: FastifyRequest): boolean {
  const site = request.headers['sec-fetch-site'];
  if (site !== undefined) return site !== 'same-origin' && site !== 'none';
  const { origin } = request.headers;
  if (origin === undefined) return false;
  return !URL.canParse(origin) || new URL(origin).host !== request.host;
}
