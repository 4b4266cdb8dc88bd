import { RETENTION_DAYS } from '@cellarman/contracts';
import { integer, port, readConfig, secret, text, url } from '@cellarman/config';
import { streamVariables } from '@cellarman/http-api';
import { telemetryVariables } from '@cellarman/telemetry';
import {
  certificateConflicts,
  clientCertificateVariables,
  redisCertificateConflicts,
  tlsVariables,
} from '@cellarman/tls';
import { Type } from '@sinclair/typebox';
import type { Static } from '@sinclair/typebox';
import { NO_PROXIES } from './http/client.ts';
import { internalTokenConflicts, internalTokenVariables } from './internal/internal-tokens.ts';

/** Every environment variable of key-service; `docs/configuration.md` is made of it. */
export const configSchema = Type.Object({
  HOST: text({ default: '127.0.0.1', description: 'The address to listen on.' }),
  PORT: port({ default: 8081, description: 'The port of the dashboard and the management API.' }),
  INTERNAL_PORT: Type.Optional(
    port({
      description:
        'A port of its own for /internal, /metrics and the reasons of /readyz, for the other services, Prometheus and probes. Set it in production: without it they are on PORT, where clients reach them.',
    }),
  ),
  ...telemetryVariables,
  ...tlsVariables,
  MAX_CONNECTIONS: integer({
    minimum: 1,
    default: 2_000,
    description: 'Connections that are open at a time; more are closed at once.',
  }),
  DEREGISTRATION_DELAY_MS: integer({
    minimum: 0,
    default: 5_000,
    description: 'How long to serve on after SIGTERM, until load balancers have noticed, in milliseconds.',
  }),
  SHUTDOWN_DEADLINE_MS: integer({
    minimum: 1_000,
    default: 25_000,
    description:
      'After how many milliseconds a stop that has not finished is cut. Requests in progress get all of it but DEREGISTRATION_DELAY_MS and 3 s for closing.',
  }),

  DATABASE_URL: Type.String({
    pattern: '^postgres(ql)?://[^\\s]+$',
    description: 'PostgreSQL, the truth about cellars and keys. It must be the primary.',
    secret: true,
  }),
  DATABASE_CONNECTIONS: integer({
    minimum: 3,
    default: 10,
    description:
      'Connections to PostgreSQL at a time. Half of them are for lookups of API keys, a tenth (at least one) is for people who are not signed in, and the rest for everything else, such as revocation.',
  }),
  REDIS_URL: Type.String({
    pattern: '^rediss?://[^\\s]+$',
    description: 'Redis, for copies of keys and sign-in limits.',
    secret: true,
  }),
  ...clientCertificateVariables('REDIS_TLS', 'Redis'),
  REDIS_PREFIX: text({
    default: 'cellarman:key-service:',
    description: 'What each name in Redis begins with.',
  }),
  ...internalTokenVariables,

  QUERY_URL: Type.Optional(
    url({
      schemes: ['http', 'https'],
      description:
        'Where the query service answers, for the dashboard. Without it nothing can be read back here.',
    }),
  ),

  ...streamVariables,

  KEY_PULL_INTERVAL_MS: integer({
    minimum: 10,
    maximum: 1_000,
    default: 250,
    description: 'How often PostgreSQL is asked for changes, in milliseconds.',
  }),
  KEY_STALE_MAX_SECONDS: integer({
    minimum: 2,
    default: 600,
    description: 'How long copies in Redis count while PostgreSQL cannot be reached, in seconds.',
  }),
  CHANGES_KEPT_HOURS: integer({
    minimum: 1,
    maximum: 8_760,
    default: 24,
    description:
      'How long changes are kept for those who were away, in hours. Whoever was away longer starts anew.',
  }),

  ADMIN_EMAIL: Type.Optional(
    Type.String({
      pattern: '^[^@\\s]+@[^@\\s]+$',
      maxLength: 254,
      description:
        'The first administrator, who is created if there is none yet. Without it, the log has a one-time token to make one in the dashboard.',
    }),
  ),
  ADMIN_PASSWORD: Type.Optional(
    secret({
      minLength: 8,
      description: 'The password of the first administrator, of 12 characters or more. Unused afterwards.',
    }),
  ),
  DEFAULT_RETENTION_DAYS: integer({
    minimum: RETENTION_DAYS.minimum,
    maximum: RETENTION_DAYS.maximum,
    default: RETENTION_DAYS.default,
    description: 'The retention of a cellar that is created without one, in days.',
  }),
  MAX_KEYS_PER_CELLAR: integer({
    minimum: 1,
    default: 200_000,
    description: 'How many active API keys a cellar may have.',
  }),
  TOKEN_MAX_DAYS: integer({
    minimum: 0,
    maximum: 3_650,
    default: 365,
    description:
      'How many days from now a new service token may expire at the latest. 0: no limit, and tokens that never expire are allowed.',
  }),
  SESSION_IDLE_SECONDS: integer({
    minimum: 60,
    default: 1_800,
    description:
      'After how many seconds without a request a session ends. The polls of a page that is left open do not count.',
  }),
  SESSION_MAX_SECONDS: integer({
    minimum: 60,
    default: 43_200,
    description: 'After how many seconds a session ends in any case.',
  }),
  DASHBOARD_DIR: text({
    default: 'services/dashboard/dist',
    description: 'The directory that holds the built dashboard.',
  }),
  INGEST_PUBLIC_URL: Type.Optional(
    url({
      schemes: ['http', 'https'],
      description:
        'Where devices reach ingest, for the examples in the dashboard. Without it they show the address of the dashboard.',
    }),
  ),
  TRUSTED_PROXIES: Type.Array(Type.String({ minLength: 1 }), {
    separator: ',',
    default: [],
    description:
      'IP addresses or networks of proxies whose X-Forwarded-For, -Host and -Proto are believed, separated by commas; `none` where clients connect directly. Left empty behind a proxy, sign-in is limited by account alone.',
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
        'The role in the DATABASE_URL of the service, if it is another: it gets the rights that the service needs, and may only read and add to the audit.',
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
  ];
}

function proxyConflicts({ TRUSTED_PROXIES: proxies }: Config): string[] {
  return proxies.length > 1 && proxies.includes(NO_PROXIES)
    ? [`TRUSTED_PROXIES has ${NO_PROXIES} beside others`]
    : [];
}
