import { integer, port, readConfig, secret, text, url } from '@cellarman/config';
import { telemetryVariables } from '@cellarman/telemetry';
import { certificateConflicts, tlsVariables } from '@cellarman/tls';
import { Type } from '@sinclair/typebox';
import type { Static } from '@sinclair/typebox';

/** Every environment variable of canary; `docs/configuration.md` is made of it. */
export const configSchema = Type.Object({
  HOST: text({ default: '127.0.0.1', description: 'The address to listen on.' }),
  PORT: port({ default: 4500, description: 'The port of probes and metrics; 0 lets the system choose.' }),
  ...telemetryVariables,
  ...tlsVariables,
  SHUTDOWN_DEADLINE_MS: integer({
    minimum: 1_000,
    default: 5_000,
    description: 'After how many milliseconds a stop that has not finished is cut.',
  }),

  INGEST_URL: url({ schemes: ['http', 'https'], description: 'Where readings are posted to.' }),
  QUERY_URL: url({ schemes: ['http', 'https'], description: 'Where they are read back.' }),
  CELLAR: text({
    pattern: '^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$',
    description: 'The cellar for the readings of the canary, best one of its own.',
  }),
  API_KEY: secret({ description: 'A key of that cellar that may ingest and read.' }),
  INTERVAL_MS: integer({
    minimum: 100,
    default: 15_000,
    description: 'How long it rests between two round trips, in milliseconds.',
  }),
  ROUND_TRIP_DEADLINE_MS: integer({
    minimum: 1_000,
    default: 30_000,
    description: 'After how many milliseconds a reading that cannot be read back counts as a failure.',
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
