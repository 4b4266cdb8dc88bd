import { channel } from 'node:diagnostics_channel';
import type { ErrorCode } from '@cellarman/contracts';
import type { FastifyInstance, FastifyRequest, RouteOptions } from 'fastify';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Error codes that the route can return. `declareErrors` adds those of its hooks. */
    errors?: readonly ErrorCode[];
  }
}

/** Possible on every route: malformed HTTP, a client that is too slow, oversized headers, a bug. */
const EVERYWHERE = ['invalid_request', 'request_timeout', 'headers_too_large', 'internal_error'] as const;
/** Fastify reads a body whether the route has a schema for one or not. */
const WITH_BODY = ['invalid_json', 'payload_too_large', 'unsupported_media_type'] as const;

/** Declares what the HTTP edge itself returns. Call it before any other plugin that looks at routes. */
export function declareEdgeErrors(app: FastifyInstance): void {
  declareErrors(app, ({ method }) => [...EVERYWHERE, ...(isRead(method) ? [] : WITH_BODY)]);
}

/** Declares error codes of a hook for each route registered on `app` after this, so that routes list only their own. */
export function declareErrors(
  app: FastifyInstance,
  codesOf: (route: RouteOptions) => readonly ErrorCode[],
): void {
  app.addHook('onRoute', (route) => {
    if (route.schema === undefined || route.schema.hide === true) return;
    const errors = new Set([...(route.config?.errors ?? []), ...codesOf(route)]);
    route.config = { ...route.config, errors: [...errors] };
  });
}

export function isRead(method: string | string[]): boolean {
  return [method].flat().every((name) => name === 'GET' || name === 'HEAD');
}

/** Publishes each error response that OpenAPI does not promise. The tests subscribe to it and fail. */
const undeclared = channel('cellarman:undeclared-error');

/** Returns whether the route, if OpenAPI describes it, declares this code. */
export function checkDeclared(request: FastifyRequest, code: ErrorCode): boolean {
  const { config, method, url } = request.routeOptions;
  if (url === undefined || config.errors === undefined || config.errors.includes(code)) return true;
  undeclared.publish({ method, url, code });
  return false;
}
