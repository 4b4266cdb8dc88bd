import { integer, port, readConfig, secret, text, url } from '@cellarman/config';
import { telemetryVariables } from '@cellarman/telemetry';
import { certificateConflicts, tlsVariables } from '@cellarman/tls';
import { Type } from '@sinclair/typebox';
import type { Static } from '@sinclair/typebox';

/** Every environment variable of canary; the source of `docs/configuration.md`. */
export const configSchema = Type.Object({
  HOST: text({ default: '127.0.0.1', description: 'The IP address to listen on.' }),
  PORT: port({ default: 4500, description: 'The port of probes and metrics; 0 selects a free port.' }),
  ...telemetryVariables,
  ...tlsVariables,
  SHUTDOWN_DEADLINE_MS: integer({
    minimum: 1_000,
    default: 5_000,
    description: 'Deadline for a graceful stop, in milliseconds.',
  }),

  INGEST_URL: url({ schemes: ['http', 'https'], description: 'The URL of ingest.' }),
  QUERY_URL: url({ schemes: ['http', 'https'], description: 'The URL of query.' }),
  CELLAR: text({
    pattern: '^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$',
    description: 'The cellar for the readings of the canary, preferably a separate one.',
  }),
  API_KEY: secret({ description: 'A key of that cellar with the scopes ingest and read.' }),
  INTERVAL_MS: integer({
    minimum: 100,
    default: 15_000,
    description: 'Pause between two round trips, in milliseconds.',
  }),
  ROUND_TRIP_DEADLINE_MS: integer({
    minimum: 1_000,
    default: 30_000,
    description: 'Deadline for reading a reading back, in milliseconds.',
  }),
});

export type Config = Static<typeof configSchema>;

export function loadConfig(env: NodeJS.ProcessEnv = process.env): Config {
  return readConfig({
    service: 'canary',
    schema: configSchema,
    env,
    conflicts: (config) => certificateConflicts(config, 'TLS'),
  });
}
