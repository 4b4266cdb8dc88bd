import cookies from '@fastify/cookie';
import swagger from '@fastify/swagger';
import { compressResponses, createHttpApp, declareErrors, observeRequests } from '@cellarman/http-api';
import type { HttpAppOptions } from '@cellarman/http-api';
import { healthRoutes, probeRoutes } from '@cellarman/lifecycle';
import type { HealthRoutesOptions } from '@cellarman/lifecycle';
import type { Telemetry } from '@cellarman/telemetry';
import type { FastifyInstance } from 'fastify';
import { authenticate } from './access/authenticate.ts';
import type { AuthenticateOptions } from './access/authenticate.ts';
import type { KeyService } from './access/key-service.ts';
import { cellarRoutes } from './cellars/cellar-routes.ts';
import { countRoutes } from './counts/count-routes.ts';
import { keyUsageRoutes } from './key-usage/key-usage-routes.ts';
import { kegRoutes } from './kegs/keg-routes.ts';
import { latestRoutes } from './latest/latest-routes.ts';
import { liveRoutes } from './live/live-routes.ts';
import { observationRoutes } from './observations/observation-routes.ts';
import type { ObservationRoutesOptions } from './observations/observation-routes.ts';
import { openApi } from './open-api.ts';
import { oneRackRoutes } from './racks/one-rack-routes.ts';
import { rackRoutes } from './racks/rack-routes.ts';
import { oneReadingRoutes } from './readings/one-reading-routes.ts';
import { readingRoutes } from './readings/reading-routes.ts';
import { seriesRoutes } from './series/series-routes.ts';
import { verificationRoutes } from './verification/verification-routes.ts';

export interface AppOptions
  extends HttpAppOptions, ObservationRoutesOptions, AuthenticateOptions, HealthRoutesOptions {
  keyService: KeyService;
  /** The metrics and the details of readiness have a port of their own. @default false */
  hasOperationsPort?: boolean;
  /** Sees every request. */
  telemetry?: Pick<Telemetry, 'meter' | 'tracer' | 'extract'>;
}

/** The whole HTTP surface. Each route has schemas of its request and its responses, from which OpenAPI is generated. */
export async function createApp(options: AppOptions): Promise<FastifyInstance> {
  const { telemetry } = options;
  const app = createHttpApp({
    ...options,
    observe: telemetry && ((observed) => observeRequests(observed, { ...telemetry, service: 'query' })),
  });
  compressResponses(app);
  // Nothing here has a body.
  app.removeAllContentTypeParsers();
  await app.register(cookies);
  await app.register(swagger, openApi);

  if (options.hasOperationsPort === true) await app.register(probeRoutes, options);
  else await app.register(healthRoutes, options);
  await app.register(async (readers) => {
    authenticate(readers, options);
    // Each of them queries ClickHouse.
    declareErrors(readers, () => ['query_too_expensive', 'unavailable']);
    readers.addHook('onSend', async (_request, reply) => {
      reply.header('cache-control', 'no-store');
    });
    await readers.register(cellarRoutes, options);
    await readers.register(countRoutes, options);
    await readers.register(keyUsageRoutes, options);
    await readers.register(rackRoutes, options);
    await readers.register(oneRackRoutes, options);
    await readers.register(kegRoutes, options);
    await readers.register(latestRoutes, options);
    await readers.register(seriesRoutes, options);
    await readers.register(readingRoutes, options);
    await readers.register(oneReadingRoutes, options);
    await readers.register(liveRoutes, options);
    await readers.register(verificationRoutes, options);
  });
  await app.register(async (internal) => {
    declareErrors(internal, () => ['query_too_expensive', 'unavailable']);
    await internal.register(observationRoutes, options);
  });
  app.get('/api/v1/query/openapi.json', { schema: { hide: true } }, async () => app.swagger());
  return app;
}
