import type { FastifyInstance, FastifyRequest } from 'fastify';
import { ApiError, declareErrors, isRead } from '@cellarman/http-api';
import { bearerTokenIn } from '../tokens/token-format.ts';

/**
 * Rejects changes that a page of another site makes the browser send. The cookie is `SameSite=Strict` already; this also
 * covers sibling sites under the same domain. Scripts send neither header, and no cookie of another user. No browser sends
 * a service token by itself, so a request with one is intentional, wherever it comes from.
 *
 * https://web.dev/articles/fetch-metadata
 */
export function rejectCrossSiteRequests(app: FastifyInstance): void {
  declareErrors(app, ({ method }) => (isRead(method) ? [] : ['forbidden']));
  app.addHook('onRequest', async (request) => requireSameSite(request));
}

function requireSameSite(request: FastifyRequest): void {
  if (bearerTokenIn(request.headers.authorization) !== undefined) return;
  if (!isRead(request.method) && isForeign(request)) {
    throw new ApiError('forbidden', 'Cross-site request rejected');
  }
}

function isForeign(request: FastifyRequest): boolean {
  const site = request.headers['sec-fetch-site'];
  if (site !== undefined) return site !== 'same-origin' && site !== 'none';
  const { origin } = request.headers;
  if (origin === undefined) return false;
  return !URL.canParse(origin) || new URL(origin).host !== request.host;
}
