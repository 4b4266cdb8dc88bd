import type { Telemetry } from '@cellarman/telemetry';
import Fastify from 'fastify';
import type { FastifyInstance, onRequestHookHandler } from 'fastify';
import { declareEdgeErrors } from './declare-errors.ts';
import { createErrorHandler } from './error-handler.ts';
import { rejectUnknownRoutes } from './not-found.ts';
import type { Pages } from './not-found.ts';
import { protectBrowsers } from './protect-browsers.ts';
import { rejectConnect } from './raw-errors.ts';
import { rejectAmbiguousRequests } from './reject-ambiguous-requests.ts';
import { serverOptions } from './server.ts';
import type { HttpServerOptions } from './server.ts';
import { validateStrictly } from './validation.ts';

export interface HttpAppOptions extends HttpServerOptions {
  logger: Telemetry['logger'];
  /** Connections beyond this number are closed immediately. */
  maxConnections: number;
  /** Adds hooks that see every request. */
  observe?: ((app: FastifyInstance) => void) | undefined;
}

/**
 * Returns an HTTP server without routes: its limits, errors, security headers and validation.
 *
 * @param onRequest hooks that run before all others
 * @param pages sent for unknown paths
 */
export function createHttpApp(
  options: HttpAppOptions,
  { onRequest = [], pages }: { onRequest?: onRequestHookHandler[]; pages?: Pages } = {},
): FastifyInstance {
  const onError = createErrorHandler(options);
  const app = Fastify({ ...serverOptions(options), frameworkErrors: onError });
  rejectConnect(app.server);
  // Expectations may be ignored (RFC 9110, 10.1.1). Node's own 417 has none of the headers for browsers.
  app.server.on('checkExpectation', (request, response) => app.server.emit('request', request, response));
  app.server.maxConnections = options.maxConnections;
  options.tls?.follow(app.server);
  for (const hook of [...onRequest, protectBrowsers, rejectAmbiguousRequests]) app.addHook('onRequest', hook);
  declareEdgeErrors(app);
  options.observe?.(app);
  validateStrictly(app);
  app.setErrorHandler(onError);
  rejectUnknownRoutes(app, pages);
  return app;
}
