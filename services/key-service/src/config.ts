import { RETENTION_DAYS } from '@cellarman/contracts';
import { integer, port, readConfig, secret, text, url } from '@cellarman/config';
import { serverVariables, streamVariables } from '@cellarman/http-api';
import { telemetryVariables } from '@cellarman/telemetry';
import {
  certificateConflicts,
  clientCertificateVariables,
  redisCertificateConflicts,
  tlsVariables,
} from '@cellarman/tls';
import { Type } from '@sinclair/typebox';
import type { Static } from '@sinclair/typebox';
import { alertConflicts, alertVariables } from './alerts/alert-variables.ts';
import { NO_PROXIES } from './http/client.ts';
import { internalTokenConflicts, internalTokenVariables } from './internal/internal-tokens.ts';

/** Every environment variable of key-service; the source of `docs/configuration.md`. */
export const configSchema = Type.Object({
  HOST: text({ default: '127.0.0.1', description: 'The IP address to listen on.' }),
  PORT: port({ default: 8081, description: 'The port of the dashboard and the management API.' }),
  INTERNAL_PORT: Type.Optional(
    port({
      description:
        'Separate port for /internal, /metrics and the reasons of /readyz, for the other services, Prometheus and probes. Set it in production: by default they are on PORT, which clients can reach.',
    }),
  ),
  ...telemetryVariables,
  ...tlsVariables,
  ...serverVariables({ maxConnections: 2_000 }),

  DATABASE_URL: Type.String({
    pattern: '^postgres(ql)?://[^\\s]+$',
    description: 'PostgreSQL, the source of truth for cellars and keys. It must be the primary.',
    secret: true,
  }),
  DATABASE_CONNECTIONS: integer({
    minimum: 3,
    default: 10,
    description:
      'Number of connections to PostgreSQL. Half of them are reserved for lookups of API keys, a tenth (at least one) for requests without a session, and the rest for all other requests, such as revocation.',
  }),
  REDIS_URL: Type.String({
    pattern: '^rediss?://[^\\s]+$',
    description: 'Redis, for the key cache and sign-in limits.',
    secret: true,
  }),
  ...clientCertificateVariables('REDIS_TLS', 'Redis'),
  REDIS_PREFIX: text({
    default: 'cellarman:key-service:',
    description: 'The prefix of all keys in Redis.',
  }),
  ...internalTokenVariables,

  QUERY_URL: Type.Optional(
    url({
      schemes: ['http', 'https'],
      description:
        'The URL of the query service, for the dashboard. Without it the dashboard shows no readings.',
    }),
  ),

  INGEST_URL: Type.Optional(
    url({
      schemes: ['http', 'https'],
      description:
        'The URL of ingest, for test readings that are sent from the dashboard. Without it none can be sent.',
    }),
  ),

  ...alertVariables,

  ...streamVariables,
  MAX_LIVE_STREAMS: integer({
    minimum: 1,
    maximum: 100_000,
    default: 500,
    description:
      'Maximum number of open streams of new readings that are forwarded to query, 25 of them per session or API key. Further ones are rejected with 503.',
  }),

  KEY_PULL_INTERVAL_MS: integer({
    minimum: 10,
    maximum: 1_000,
    default: 250,
    description: 'Interval for pulling changes from PostgreSQL, in milliseconds.',
  }),
  KEY_STALE_MAX_SECONDS: integer({
    minimum: 2,
    default: 600,
    description: 'How long cache entries in Redis stay valid while PostgreSQL is unreachable, in seconds.',
  }),
  CHANGES_KEPT_HOURS: integer({
    minimum: 1,
    maximum: 8_760,
    default: 24,
    description:
      'How long changes are kept, in hours. A replica that was disconnected for longer clears its cache.',
  }),

  ADMIN_EMAIL: Type.Optional(
    Type.String({
      pattern: '^[^@\\s]+@[^@\\s]+$',
      maxLength: 254,
      description:
        'The email address of the first owner, who is created if there is no owner. Without it, key-service logs a one-time token to create the first owner in the dashboard.',
    }),
  ),
  ADMIN_PASSWORD: Type.Optional(
    secret({
      minLength: 8,
      description: 'The password of the first owner, 12 characters or more. Not used afterwards.',
    }),
  ),
  DEFAULT_RETENTION_DAYS: integer({
    minimum: RETENTION_DAYS.minimum,
    maximum: RETENTION_DAYS.maximum,
    default: RETENTION_DAYS.default,
    description: 'Default retention of a cellar, in days.',
  }),
  MAX_KEYS_PER_CELLAR: integer({
    minimum: 1,
    default: 200_000,
    description: 'Maximum number of active API keys in a cellar.',
  }),
  TOKEN_MAX_DAYS: integer({
    minimum: 0,
    maximum: 3_650,
    default: 365,
    description:
      'Maximum lifetime of a service token, in days. 0: no limit, and tokens without expiry are allowed.',
  }),
  SESSION_IDLE_SECONDS: integer({
    minimum: 60,
    default: 1_800,
    description: 'Idle timeout of a session, in seconds. Polls of an open page do not count as requests.',
  }),
  SESSION_MAX_SECONDS: integer({
    minimum: 60,
    default: 43_200,
    description: 'Maximum lifetime of a session, in seconds.',
  }),
  DASHBOARD_DIR: text({
    default: 'services/dashboard/dist',
    description: 'The directory of the built dashboard.',
  }),
  INGEST_PUBLIC_URL: Type.Optional(
    url({
      schemes: ['http', 'https'],
      description:
        'The public URL of ingest, for the examples in the dashboard. By default they show the URL of the dashboard.',
    }),
  ),
  RUNBOOK_BASE_URL: Type.Optional(
    url({
      schemes: ['http', 'https'],
      description:
        'The URL where docs/runbooks is published, for links on the Pipeline page. Without it the page shows file names.',
    }),
  ),
  TRUSTED_PROXIES: Type.Array(Type.String({ minLength: 1 }), {
    separator: ',',
    default: [],
    description:
      'IP addresses or networks of proxies whose X-Forwarded-For, -Host and -Proto are trusted, separated by commas; `none` if clients connect directly. If it is empty behind a proxy, sign-in is limited per account only.',
  }),
});

export type Config = Static<typeof configSchema>;

/** What `key-service migrate` needs: no Redis, and no token. */
export const migrateConfigSchema = Type.Object({
  ...telemetryVariables,
  ...Type.Pick(configSchema, ['NODE_EXTRA_CA_CERTS', 'SHUTDOWN_DEADLINE_MS', 'DATABASE_URL']).properties,
  DATABASE_SERVICE_ROLE: Type.Optional(
    text({
      description:
        'The role in the DATABASE_URL of the service, if it differs: it is granted what the service needs, and can only read and append to the audit log.',
    }),
  ),
});

export type MigrateConfig = Static<typeof migrateConfigSchema>;

export function loadMigrateConfig(env: NodeJS.ProcessEnv = process.env): MigrateConfig {
  return readConfig({ service: 'key-service migrate', schema: migrateConfigSchema, env });
}

export function loadConfig(env: NodeJS.ProcessEnv = process.env): Config {
  return readConfig({ service: 'key-service', schema: configSchema, env, conflicts });
}

function conflicts(config: Config): string[] {
  return [
    ...certificateConflicts(config, 'TLS'),
    ...redisCertificateConflicts(config),
    ...internalTokenConflicts(config),
    ...proxyConflicts(config),
    ...alertConflicts(config),
  ];
}

function proxyConflicts({ TRUSTED_PROXIES: proxies }: Config): string[] {
  return proxies.length > 1 && proxies.includes(NO_PROXIES)
    ? [`TRUSTED_PROXIES has ${NO_PROXIES} together with other values`]
    : [];
}
