import type { Service, Step } from '@cellarman/lifecycle';
import packageJson from '../package.json' with { type: 'json' };
import { loadConfig } from './config.ts';
import type { Config } from './config.ts';
import { createMetrics } from './metrics.ts';
import { repeat } from './repeat.ts';
import { createRoundTrip } from './round-trip.ts';

export const canary = {
  name: 'canary',
  version: packageJson.version,
  parts: [],
  operationsPort: (config: Config) => config.PORT,
  loadConfig,
  start,
};

/** Makes one round trip after the other. It is ready also while they fail. */
async function start({ config, telemetry, logger }: Service<Config>) {
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

  return { stop: (step: Step) => step('round trip', () => roundTrips.stop()) };
}
