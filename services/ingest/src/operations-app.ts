import { healthRoutes } from '@cellarman/lifecycle';
import type { Readiness } from '@cellarman/lifecycle';
import type { Telemetry } from '@cellarman/telemetry';
import { servedOver } from '@cellarman/tls';
import type { ServerTls } from '@cellarman/tls';
import { fastify } from 'fastify';

/**
 * Probes and metrics on a port of their own: a probe that waits behind 30,000 devices for a connection would get a healthy
 * process killed, and no ingress can show the metrics to strangers by mistake.
 */
export function buildOperationsApp(options: {
  readiness: Readiness;
  telemetry: Pick<Telemetry, 'metricsText'>;
  tls?: ServerTls | undefined;
}) {
  const { readiness, telemetry, tls } = options;
  const app = fastify({ logger: false, ...servedOver(tls) });
  tls?.follow(app.server);
  app.register(healthRoutes, { readiness, metricsText: telemetry.metricsText });
  return app;
}
