import { createOperationsApp, createReadiness } from '@cellarman/lifecycle';
import type { Running } from '@cellarman/lifecycle';
import type { Telemetry } from '@cellarman/telemetry';
import { observeCertificates, serverTls } from '@cellarman/tls';
import type { Config } from './config.ts';
import { createMetrics } from './metrics.ts';
import { repeat } from './repeat.ts';
import { createRoundTrip } from './round-trip.ts';

/** Listens for probes and Prometheus, and makes one round trip after the other. That they fail makes it no less ready. */
export async function startCanary(config: Config, telemetry: Telemetry): Promise<Running> {
  const { logger } = telemetry;
  const readiness = createReadiness({ parts: ['http'] });
  const tls = serverTls(config, logger);
  observeCertificates(telemetry.meter, config);
  const server = createOperationsApp({ tls, readiness, metricsText: telemetry.metricsText });
  await server.listen({ host: config.HOST, port: config.PORT });
  readiness.set('http', true);
  logger.info({ addresses: server.addresses() }, 'probes and metrics are served');

  const metrics = createMetrics(telemetry.meter);
  const roundTrips = repeat({
    roundTrip: createRoundTrip({
      ingestUrl: config.INGEST_URL,
      queryUrl: config.QUERY_URL,
      cellar: config.CELLAR,
      apiKey: config.API_KEY,
      deadlineMs: config.ROUND_TRIP_DEADLINE_MS,
    }),
    intervalMs: config.INTERVAL_MS,
    metrics,
    logger,
  });

  return {
    logger,
    async stop(_signal, step) {
      await step('round trip', () => roundTrips.stop());
      await step('HTTP', () => server.close());
      await step('telemetry', () => telemetry.stop());
    },
  };
}
