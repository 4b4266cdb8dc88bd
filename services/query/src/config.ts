import { clickHouseVariables } from '@cellarman/clickhouse';
import { integer, port, readConfig, text } from '@cellarman/config';
import { streamVariables } from '@cellarman/http-api';
import { keyServiceVariables } from '@cellarman/key-service-client';
import { telemetryVariables } from '@cellarman/telemetry';
import { certificateConflicts, clickHouseCertificateConflicts, tlsVariables } from '@cellarman/tls';
import { Type } from '@sinclair/typebox';
import type { Static } from '@sinclair/typebox';

/** Every environment variable of query; `docs/configuration.md` is made of it. */
export const configSchema = Type.Object({
  HOST: text({ default: '127.0.0.1', description: 'The address to listen on.' }),
  PORT: port({ default: 4300, description: 'The port of the HTTP API; 0 lets the system choose.' }),
  OPERATIONS_PORT: Type.Optional(
    port({
      description:
        'A port of its own for /metrics and the reasons of /readyz. Set it in production: without it they are on PORT.',
    }),
  ),
  ...telemetryVariables,
  ...tlsVariables,
  MAX_CONNECTIONS: integer({
    minimum: 1,
    default: 1_000,
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

  ...keyServiceVariables('query'),
  LAST_USED_INTERVAL_MS: integer({
    minimum: 100,
    default: 60_000,
    description: 'About how often key-service is told when keys were last used, in milliseconds.',
  }),

  ...clickHouseVariables({
    database: 'The database with the readings, as the sink has made it.',
    user: 'User of ClickHouse. It needs to read this database and nothing else.',
  }),

  MAX_QUERIES: integer({
    minimum: 1,
    maximum: 1_000,
    default: 8,
    description: 'Queries that ClickHouse works on at a time for this process.',
  }),
  MAX_QUERIES_PER_READER: integer({
    minimum: 1,
    maximum: 1_000,
    default: 4,
    description:
      'How many of them one API key or one person may have, and how many responses as NDJSON or CSV they may have open. Of these numbers, such responses get half at most.',
  }),
  MAX_WAITING_QUERIES: integer({
    minimum: 0,
    maximum: 10_000,
    default: 64,
    description:
      'Queries that may wait for a slot, at most half of them of one reader. More are answered with 503.',
  }),
  MAX_WAIT_MS: integer({
    minimum: 0,
    default: 2_000,
    description: 'How long a query may wait for a slot before it is answered with 503, in milliseconds.',
  }),
  MAX_STREAMS: integer({
    minimum: 1,
    maximum: 10_000,
    default: 16,
    description:
      'Responses as NDJSON or CSV that are open at a time, also those that wait for their client only. More are answered with 503.',
  }),
  ...streamVariables,
  STREAM_AUTHORIZE_INTERVAL_MS: integer({
    minimum: 10,
    maximum: 60_000,
    default: 2_000,
    description:
      'How often key-service is asked, while such a response is sent, whether the key or session may still read, in milliseconds.',
  }),
  QUERY_TIMEOUT_SECONDS: integer({
    minimum: 1,
    maximum: 600,
    default: 10,
    description:
      'How long ClickHouse may work on a query, in seconds. For NDJSON and CSV: until the first reading.',
  }),
  QUERY_MAX_MEMORY_BYTES: integer({
    minimum: 16 * 1024 * 1024,
    default: 1024 * 1024 * 1024,
    description: 'How much memory ClickHouse may take for a query, in bytes.',
  }),
});

export type Config = Static<typeof configSchema>;

export function loadConfig(env: NodeJS.ProcessEnv = process.env): Config {
  return readConfig({ service: 'query', schema: configSchema, env, conflicts });
}

function conflicts(config: Config): string[] {
  return [...certificateConflicts(config, 'TLS'), ...clickHouseCertificateConflicts(config)];
}
