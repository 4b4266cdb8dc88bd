import type { FastifyInstance, FastifyRequest } from 'fastify';
import { unknownCellar } from './unknown-cellar.ts';
import type { ErrorCode } from '@cellarman/contracts';
import { ApiError, declareErrors } from '@cellarman/http-api';
import { requesterOf } from './requester.ts';

/**
 * Who may use a route.
 * - `everybody`: every authenticated user and token; the handler filters what each of them sees.
 * - `cellar`: users and tokens that may read the cellar in the path. For the others it does not exist.
 * - `cellar change`: the same without viewers.
 * - `owner`: owners.
 * - `person`: signed-in users, no service tokens.
 * - `owner in person`: both.
 */
export type RouteAccess = 'everybody' | 'cellar' | 'cellar change' | 'owner' | 'person' | 'owner in person';

declare module 'fastify' {
  interface FastifyContextConfig {
    access?: RouteAccess;
  }
}

/** Viewers have these. */
const READING: RouteAccess[] = ['everybody', 'cellar'];

/** Every route that is registered on `app` after this must say who may use it, and lets in nobody else. */
export function enforceAccess(app: FastifyInstance): void {
  app.addHook('onRoute', ({ method, url, config }) => {
    if (config?.access === undefined) throw new Error(`${String(method)} ${url} declares no access`);
    if (config.access.startsWith('cellar') && !url.includes('/:cellar'))
      throw new Error(`${url} has no cellar in its path`);
    const reads = ['GET', 'HEAD'].includes(String(method));
    if (!reads && READING.includes(config.access))
      throw new Error(`${String(method)} ${url} must not be open to viewers`);
  });
  declareErrors(app, ({ config }) => rejectionsOf(config?.access));
  app.addHook('onRequest', async (request) => requireAccess(request, request.routeOptions.config.access));
}

function rejectionsOf(access: RouteAccess | undefined): ErrorCode[] {
  if (access === 'everybody') return [];
  if (access === 'cellar change') return ['not_found', 'forbidden'];
  return [access === 'cellar' ? 'not_found' : 'forbidden'];
}

function requireAccess(request: FastifyRequest, access: RouteAccess | undefined): void {
  const { role, cellars, session } = requesterOf(request);
  switch (access) {
    case 'everybody':
      return;
    case 'cellar':
    case 'cellar change': {
      const { cellar } = request.params as { cellar: string };
      if (cellars !== null && !cellars.includes(cellar)) throw unknownCellar();
      if (access === 'cellar change' && role !== 'owner' && role !== 'member')
        throw new ApiError('forbidden', 'Viewers cannot change anything');
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
