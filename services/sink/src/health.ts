import { createOperationsApp } from '@cellarman/lifecycle';
import type { Readiness } from '@cellarman/lifecycle';
import type { Telemetry } from '@cellarman/telemetry';
import type { ServerTls } from '@cellarman/tls';
import type { FastifyInstance } from 'fastify';

/** Nobody but probes and Prometheus talks to the sink over HTTP. */
export async function serveHealth(options: {
  host: string;
  port: number;
  tls: ServerTls | undefined;
  readiness: Readiness;
  telemetry: Telemetry;
}): Promise<FastifyInstance> {
  const { host, port, tls, readiness, telemetry } = options;
  const server = createOperationsApp({ tls, readiness, metricsText: telemetry.metricsText });
  await server.listen({ host, port });
  telemetry.logger.info({ addresses: server.addresses() }, 'probes and metrics are served');
  return server;
}
