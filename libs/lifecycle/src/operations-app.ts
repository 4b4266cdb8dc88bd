import { servedOver } from '@cellarman/tls';
import type { ServerTls } from '@cellarman/tls';
import { fastify } from 'fastify';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { healthRoutes } from './health-routes.ts';
import type { HealthRoutesOptions } from './health-routes.ts';

/** Probes and scrapers are few, and quick. */
const MAX_CONNECTIONS = 100;
const SILENCE_MS = 30_000;

/**
 * Serves probes and metrics on a port of their own: a probe that waits behind 30,000 clients for a connection would get a
 * healthy process killed, and no ingress can expose the metrics by mistake.
 */
export function createOperationsApp({
  tls,
  ...options
}: HealthRoutesOptions & { tls?: ServerTls | undefined }): FastifyInstance {
  const app = fastify({ logger: false, connectionTimeout: SILENCE_MS, ...servedOver(tls) });
  app.server.maxConnections = MAX_CONNECTIONS;
  tls?.follow(app.server);
  // Before Fastify looks at a method's headers. A plugin of its own, so that the hook runs for unknown routes only.
  app.register(async (unknown) => {
    unknown.addHook('onRequest', rejectUnknown);
    unknown.setNotFoundHandler(rejectUnknown);
  });
  app.register(healthRoutes, options);
  return app;

  async function rejectUnknown({ method, url }: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    reply.header('x-content-type-options', 'nosniff');
    const path = url.split('?', 1)[0] ?? '';
    // In the words of libs/http-api.
    if (!app.hasRoute({ method: 'GET', url: path })) {
      const notFound = {
        status: 'error',
        error: `Not found: no route for ${method} ${path}`,
        code: 'not_found',
      };
      return reply.code(404).send(notFound);
    }
    const error = { status: 'error', error: 'Method not allowed. Use GET, HEAD', code: 'method_not_allowed' };
    return reply.code(405).header('allow', 'GET, HEAD').send(error);
  }
}
