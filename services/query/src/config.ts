import { clickHouseVariables } from '@cellarman/clickhouse';
import { integer, port, readConfig, text } from '@cellarman/config';
import { serverVariables, streamVariables } from '@cellarman/http-api';
import { keyServiceVariables } from '@cellarman/key-service-client';
import { telemetryVariables } from '@cellarman/telemetry';
import { certificateConflicts, clickHouseCertificateConflicts, tlsVariables } from '@cellarman/tls';
import { Type } from '@sinclair/typebox';
import type { Static } from '@sinclair/typebox';

/** Every environment variable of query; the source of `docs/configuration.md`. */
export const configSchema = Type.Object({
  HOST: text({ default: '127.0.0.1', description: 'The IP address to listen on.' }),
  PORT: port({ default: 4300, description: 'The port of the HTTP API; 0 selects a free port.' }),
  OPERATIONS_PORT: Type.Optional(
    port({
      description:
        'Separate port for /metrics and the reasons of /readyz. Set it in production: by default they are on PORT.',
    }),
  ),
  ...telemetryVariables,
  ...tlsVariables,
  ...serverVariables({ maxConnections: 1_000 }),

  ...keyServiceVariables('query'),
  ALERTS_TOKEN: Type.Optional(
    Type.Array(Type.String({ minLength: 16 }), {
      separator: ',',
      minItems: 1,
      secret: true,
      description:
        'The token with which key-service evaluates alert rules, the same as its ALERTS_TOKEN. It gives access to silent racks, values outside of limits and counts, nothing else. During a rotation, the new and the old token, separated by a comma. Without it alert rules that need readings are not evaluated.',
    }),
  ),
  LAST_USED_INTERVAL_MS: integer({
    minimum: 100,
    default: 60_000,
    description:
      'Approximate interval for reporting to key-service when keys were last used, in milliseconds.',
  }),

  ...clickHouseVariables({
    database: 'The database with the readings, created by the sink.',
    user: 'ClickHouse user, with read access to this database only.',
  }),

  MAX_QUERIES: integer({
    minimum: 1,
    maximum: 1_000,
    default: 8,
    description: 'Maximum number of concurrent queries in ClickHouse.',
  }),
  MAX_QUERIES_PER_READER: integer({
    minimum: 1,
    maximum: 1_000,
    default: 4,
    description:
      'Maximum number of these queries, and of open NDJSON or CSV responses, per API key or user. NDJSON and CSV get at most half of each.',
  }),
  MAX_WAITING_QUERIES: integer({
    minimum: 0,
    maximum: 10_000,
    default: 64,
    description:
      'Maximum number of queries that wait for a slot, at most half of them for one API key or user. Further ones are rejected with 503.',
  }),
  MAX_WAIT_MS: integer({
    minimum: 0,
    default: 2_000,
    description: 'How long a query waits for a slot before it is rejected with 503, in milliseconds.',
  }),
  MAX_STREAMS: integer({
    minimum: 1,
    maximum: 10_000,
    default: 16,
    description:
      'Maximum number of open NDJSON or CSV responses, including those that wait only for their client. Further ones are rejected with 503.',
  }),
  ...streamVariables,
  STREAM_AUTHORIZE_INTERVAL_MS: integer({
    minimum: 10,
    maximum: 60_000,
    default: 2_000,
    description:
      'Interval for authorizing the key or session again while such a response is sent, in milliseconds.',
  }),
  MAX_LIVE_STREAMS: integer({
    minimum: 1,
    maximum: 100_000,
    default: 500,
    description:
      'Maximum number of open streams of new readings (`/live`). Further ones are rejected with 503. Must be less than MAX_CONNECTIONS.',
  }),
  MAX_LIVE_STREAMS_PER_READER: integer({
    minimum: 1,
    maximum: 100_000,
    default: 25,
    description: 'Maximum number of these streams per API key or user.',
  }),
  LIVE_POLL_INTERVAL_MS: integer({
    minimum: 50,
    maximum: 10_000,
    default: 250,
    description:
      'Interval for polling ClickHouse for new readings, for each cellar with such streams, in milliseconds. After ten seconds without readings it is at least 1000.',
  }),
  QUERY_TIMEOUT_SECONDS: integer({
    minimum: 1,
    maximum: 600,
    default: 10,
    description:
      'Maximum execution time of a query in ClickHouse, in seconds. For NDJSON and CSV: until the first reading.',
  }),
  QUERY_MAX_MEMORY_BYTES: integer({
    minimum: 16 * 1024 * 1024,
    default: 1024 * 1024 * 1024,
    description: 'Maximum memory of a query in ClickHouse, in bytes.',
  }),
});

export type Config = Static<typeof configSchema>;

export function loadConfig(env: NodeJS.ProcessEnv = process.env): Config {
  return readConfig({ service: 'query', schema: configSchema, env, conflicts });
}

function conflicts(config: Config): string[] {
  const noRoom =
    config.MAX_LIVE_STREAMS < config.MAX_CONNECTIONS
      ? []
      : ['MAX_LIVE_STREAMS must be less than MAX_CONNECTIONS, which other requests need too'];
  return [...noRoom, ...certificateConflicts(config, 'TLS'), ...clickHouseCertificateConflicts(config)];
}
