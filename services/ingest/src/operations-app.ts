import { healthRoutes } from '@cellarman/lifecycle';
import type { Readiness } from '@cellarman/lifecycle';
import type { Telemetry } from '@cellarman/telemetry';
import { fastify } from 'fastify';

/**
 * Probes and metrics on a port of their own: a probe that waits behind 30,000 devices for a connection would get a healthy
 * process killed, and no ingress can show the metrics to strangers by mistake.
 */
export function buildOperationsApp(options: {
  readiness: Readiness;
  telemetry: Pick<Telemetry, 'metricsText'>;
}) {
  const { readiness, telemetry } = options;
  const app = fastify({ logger: false });
  app.register(healthRoutes, { readiness, metricsText: telemetry.metricsText });
  return app;
}
