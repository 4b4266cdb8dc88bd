import { createHttpApp } from '@cellarman/http-api';
import { healthRoutes } from '@cellarman/lifecycle';
import type { Readiness } from '@cellarman/lifecycle';
import type { Telemetry } from '@cellarman/telemetry';
import type { ServerTls } from '@cellarman/tls';
import type { FastifyInstance } from 'fastify';
import { ingestRoutes } from './http/ingest-routes.ts';
import type { IngestRoutesOptions } from './http/ingest-routes.ts';
import type { Spool } from './spool.ts';
import { statusPage } from './status/status-page.ts';

export interface AppOptions extends IngestRoutesOptions {
  spool: Pick<Spool, 'put' | 'status'>;
  readiness: Readiness;
  telemetry: Pick<Telemetry, 'logger' | 'metricsText'>;
  tls: ServerTls | undefined;
}

const PAGE_POLICY = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; frame-ancestors 'none'";

/** The HTTP surface: the API of ingest for devices, a status page, probes and metrics. */
export async function createApp(options: AppOptions): Promise<FastifyInstance> {
  const { config, spool, counts, readiness, telemetry, tls } = options;
  const app = createHttpApp({ tls, logger: telemetry.logger, maxConnections: config.MAX_CONNECTIONS });

  await app.register(async (routes) => ingestRoutes(routes, options));
  await app.register(healthRoutes, { readiness, metricsText: telemetry.metricsText });
  // Other gateways have it under this name.
  app.get('/healthz', () => ({ status: 'alive' }));
  app.get('/', async (_request, reply) =>
    reply
      .header('content-type', 'text/html; charset=utf-8')
      .header('content-security-policy', PAGE_POLICY)
      .header('cache-control', 'no-store')
      .send(statusPage(await spool.status(), counts, config.CELLAR)),
  );
  return app;
}
