import { createHttpApp } from '@cellarman/http-api';
import type { HttpAppOptions } from '@cellarman/http-api';
import { healthRoutes } from '@cellarman/lifecycle';
import type { HealthRoutesOptions } from '@cellarman/lifecycle';
import type { FastifyInstance } from 'fastify';
import { readOnlyJson } from '../http/json-bodies.ts';
import { internalRoutes } from './internal-routes.ts';
import type { InternalRoutesOptions } from './internal-routes.ts';

export interface InternalAppOptions extends HttpAppOptions, HealthRoutesOptions {
  internal: InternalRoutesOptions;
}

/**
 * What the other services, the kubelet and Prometheus request, on a port of its own: no ingress can expose it by mistake, and
 * connections of strangers do not keep ingest from looking up keys.
 */
export async function createInternalApp(options: InternalAppOptions): Promise<FastifyInstance> {
  const app = createHttpApp(options);
  readOnlyJson(app);
  await app.register(healthRoutes, options);
  await app.register(internalRoutes, options.internal);
  return app;
}
