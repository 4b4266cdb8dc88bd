import {
  createErrorHandler,
  declareEdgeErrors,
  protectBrowsers,
  rejectAmbiguousRequests,
  rejectConnect,
  rejectUnknownRoutes,
  serverOptions,
  validateStrictly,
} from '@cellarman/http-api';
import { healthRoutes } from '@cellarman/lifecycle';
import type { HealthRoutesOptions } from '@cellarman/lifecycle';
import type { Logger } from '@cellarman/telemetry';
import type { ServerTls } from '@cellarman/tls';
import Fastify from 'fastify';
import type { FastifyInstance } from 'fastify';
import { readOnlyJson } from '../http/json-bodies.ts';
import { internalRoutes } from './internal-routes.ts';
import type { InternalRoutesOptions } from './internal-routes.ts';

export interface InternalAppOptions extends HealthRoutesOptions {
  internal: InternalRoutesOptions;
  logger: Logger;
  /** Connections beyond this number are closed immediately. */
  maxConnections: number;
  tls?: ServerTls | undefined;
  /** Adds hooks that see every request. */
  observe?: (app: FastifyInstance) => void;
}

/**
 * What the other services, the kubelet and Prometheus request, on a port of its own: no ingress can expose it by mistake, and
 * connections of strangers do not keep ingest from looking up keys.
 */
export async function createInternalApp(options: InternalAppOptions): Promise<FastifyInstance> {
  const onError = createErrorHandler(options);
  const app = Fastify({ ...serverOptions({ tls: options.tls }), frameworkErrors: onError });
  rejectConnect(app.server);
  app.server.maxConnections = options.maxConnections;
  options.tls?.follow(app.server);
  app.addHook('onRequest', protectBrowsers);
  app.addHook('onRequest', rejectAmbiguousRequests);
  declareEdgeErrors(app);
  options.observe?.(app);
  readOnlyJson(app);
  validateStrictly(app);
  app.setErrorHandler(onError);
  rejectUnknownRoutes(app);
  await app.register(healthRoutes, options);
  await app.register(internalRoutes, options.internal);
  return app;
}
