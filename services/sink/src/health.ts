import { healthRoutes } from '@cellarman/lifecycle';
import type { Readiness } from '@cellarman/lifecycle';
import type { Telemetry } from '@cellarman/telemetry';
import { fastify } from 'fastify';
import type { FastifyInstance } from 'fastify';

/** Nobody but probes and Prometheus talks to the sink over HTTP. */
export async function serveHealth(options: {
  host: string;
  port: number;
  readiness: Readiness;
  telemetry: Telemetry;
}): Promise<FastifyInstance> {
  const { host, port, readiness, telemetry } = options;
  const server = fastify({ logger: false });
  await server.register(healthRoutes, { readiness, metricsText: telemetry.metricsText });
  await server.listen({ host, port });
  telemetry.logger.info({ addresses: server.addresses() }, 'probes and metrics are served');
  return server;
}
