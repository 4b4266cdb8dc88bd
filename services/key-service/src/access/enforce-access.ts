import type { FastifyInstance, FastifyRequest } from 'fastify';
import { unknownCellar } from './unknown-cellar.ts';
import type { ErrorCode } from '@cellarman/contracts';
import { ApiError, declareErrors } from '@cellarman/http-api';
import { requesterOf } from './requester.ts';

/**
 * Who may use a route.
 * - `everybody`: everybody who is known; the handler shows each what is theirs.
 * - `cellar`: whoever has been granted the cellar in the address. To the others it does not exist.
 * - `owner`: owners.
 * - `person`: people who are signed in, no service tokens.
 * - `owner in person`: both.
 */
export type RouteAccess = 'everybody' | 'cellar' | 'owner' | 'person' | 'owner in person';

declare module 'fastify' {
  interface FastifyContextConfig {
    access?: RouteAccess;
  }
}

/** Every route that is registered on `app` after this must say who may use it, and lets in nobody else. */
export function enforceAccess(app: FastifyInstance): void {
  app.addHook('onRoute', ({ method, url, config }) => {
    if (config?.access === undefined) throw new Error(`${String(method)} ${url} does not say who may use it`);
    if (config.access === 'cellar' && !url.includes('/:cellar'))
      throw new Error(`${url} has no cellar in its address`);
  });
  declareErrors(app, ({ config }) => rejectionsOf(config?.access));
  app.addHook('onRequest', async (request) => requireAccess(request, request.routeOptions.config.access));
}

function rejectionsOf(access: RouteAccess | undefined): ErrorCode[] {
  if (access === 'everybody') return [];
  return [access === 'cellar' ? 'not_found' : 'forbidden'];
}

function requireAccess(request: FastifyRequest, access: RouteAccess | undefined): void {
  const { role, cellars, session } = requesterOf(request);
  switch (access) {
    case 'everybody':
      return;
    case 'cellar': {
      const { cellar } = request.params as { cellar: string };
      if (cellars !== null && !cellars.includes(cellar)) throw unknownCellar();
      return;
    }
    case 'person':
    case 'owner':
    case 'owner in person':
      if (access !== 'person' && role !== 'owner') throw new ApiError('forbidden', 'Only owners can do this');
      if (access !== 'owner' && session === null)
        throw new ApiError('forbidden', 'Service tokens cannot do this. Sign in.');
      return;
    case undefined:
      throw new Error('a route without access was registered');
  }
}
