import { MAX_BATCH_READINGS_DEFAULT, READINGS_MAX_BYTES, READINGS_TOPIC } from '@cellarman/contracts';
import { integer, port, readConfig, text, url } from '@cellarman/config';
import { stopVariables } from '@cellarman/http-api';
import { keyServiceVariables } from '@cellarman/key-service-client';
import { COMPRESSIONS, kafkaConflicts, kafkaVariables } from '@cellarman/kafka';
import { telemetryVariables } from '@cellarman/telemetry';
import {
  certificateConflicts,
  clientCertificateVariables,
  redisCertificateConflicts,
  tlsVariables,
} from '@cellarman/tls';
import { Type } from '@sinclair/typebox';
import type { Static } from '@sinclair/typebox';

/** Every environment variable of ingest; the source of `docs/configuration.md`. */
export const configSchema = Type.Object({
  HOST: text({ default: '127.0.0.1', description: 'The IP address to listen on.' }),
  PORT: port({ default: 8080, description: 'The port of the HTTP API.' }),
  OPERATIONS_PORT: Type.Optional(
    port({
      description:
        'Separate port for /livez, /readyz and /metrics, so that probes work when PORT has no free connections. By default they are on PORT.',
    }),
  ),
  ...telemetryVariables,
  ...tlsVariables,
  ...stopVariables('DEREGISTRATION_DELAY_MS, ACK_DEADLINE_MS'),

  ...kafkaVariables,
  READINGS_TOPIC: text({ default: READINGS_TOPIC, description: 'The topic for readings.' }),
  PRODUCER_COMPRESSION: Type.Union(
    COMPRESSIONS.map((name) => Type.Literal(name)),
    {
      default: 'none',
      description:
        'Compression of messages in the topic. zstd saves most at the least CPU, but sinks of the previous version cannot read it.',
    },
  ),
  PRODUCER_LINGER_MS: integer({
    minimum: 0,
    maximum: 50,
    default: 0,
    description:
      'How long readings for a partition may wait until there are 32, in milliseconds: with compression, single readings then take far fewer bytes in the topic.',
  }),
  ACK_DEADLINE_MS: integer({
    minimum: 100,
    maximum: 5_000,
    default: 4_500,
    description: 'How long a request waits for Kafka before the response is 503, in milliseconds.',
  }),
  MAX_IN_FLIGHT_REQUESTS: integer({
    minimum: 1,
    default: 10_000,
    description: 'Maximum number of readings that wait for Kafka; further ones are rejected with 503.',
  }),
  OVERLOAD_TARGET_MS: integer({
    minimum: 10,
    maximum: 2_000,
    default: 120,
    description:
      'Target for the mean latency under overload, in milliseconds; readings that would exceed it are rejected with 503. Set it to three times the latency of Kafka without load.',
  }),
  MAX_IN_FLIGHT_BYTES: integer({
    minimum: 1_048_576,
    default: 33_554_432,
    description:
      'Maximum size of the messages that wait for Kafka, in bytes; further ones are rejected with 503.',
  }),
  MAX_BODIES_BYTES: integer({
    minimum: 1_048_576,
    default: 67_108_864,
    description:
      'Memory for the bodies of all requests in progress, in bytes; further requests are rejected with 503.',
  }),

  ...keyServiceVariables('ingest'),
  KEY_STALE_MAX_SECONDS: integer({
    minimum: 2,
    default: 600,
    description: 'How long cached API keys keep working while key-service is unreachable, in seconds.',
  }),
  KEY_PULL_INTERVAL_MS: integer({
    minimum: 10,
    maximum: 1_000,
    default: 250,
    description: 'Interval for pulling key changes from key-service, in milliseconds.',
  }),
  KEY_CACHE_SIZE: integer({
    minimum: 1,
    default: 200_000,
    description: 'Maximum number of API keys in memory (about 1 kB each).',
  }),

  LAST_USED_INTERVAL_MS: integer({
    minimum: 100,
    default: 900_000,
    description:
      'Interval for reporting to key-service when a key was last used, in milliseconds. The first use of a key is reported within seconds.',
  }),

  REJECTIONS_INTERVAL_MS: integer({
    minimum: 100,
    default: 2_000,
    description: 'Interval for reporting rejections to key-service, in milliseconds.',
  }),

  REDIS_URL: url({
    schemes: ['redis', 'rediss'],
    description: 'Redis, which shares the rate limits between replicas.',
  }),
  ...clientCertificateVariables('REDIS_TLS', 'Redis'),
  RATE_LIMIT_PER_SECOND: Type.Number({
    exclusiveMinimum: 0,
    default: 1_000,
    description: 'Default rate of an API key, in readings per second.',
  }),
  RATE_LIMIT_BURST: integer({
    minimum: 1,
    default: 10_000,
    description: 'Default burst of an API key, in readings.',
  }),
  INGEST_REPLICAS: integer({
    minimum: 1,
    default: 1,
    description: 'Number of replicas that share the rate limits. Each leases at most its share of a burst.',
  }),

  MAX_BODY_BYTES: integer({
    minimum: 256,
    // A message is a little longer than its body, and must fit into a send of the lanes, which are smaller than the topic takes.
    maximum: READINGS_MAX_BYTES / 4,
    default: 16_384,
    description: 'Maximum size of the body of a single reading, in bytes.',
  }),
  MAX_BATCH_BYTES: integer({
    minimum: 16_384,
    default: 4_194_304,
    description: 'Maximum size of the body of a batch, compressed and decompressed, in bytes.',
  }),
  MAX_BATCH_READINGS: integer({
    minimum: 1,
    maximum: 100_000,
    default: MAX_BATCH_READINGS_DEFAULT,
    description: 'Maximum number of readings in a batch, at most RATE_LIMIT_BURST.',
  }),
  MAX_CLOCK_SKEW_SECONDS: integer({
    minimum: 0,
    default: 300,
    description: 'How far in the future a timestamp may be, in seconds.',
  }),
  MAX_CONNECTIONS: integer({
    minimum: 1,
    default: 30_000,
    description: 'Maximum number of open connections; further ones are closed immediately.',
  }),
  MAX_HEADER_BYTES: integer({
    minimum: 1_024,
    default: 8_192,
    description: 'Maximum size of the request headers, in bytes.',
  }),
  HEADERS_TIMEOUT_MS: integer({
    minimum: 100,
    default: 5_000,
    description: 'Timeout for receiving the request headers, in milliseconds.',
  }),
  REQUEST_TIMEOUT_MS: integer({
    minimum: 100,
    default: 10_000,
    description: 'Timeout for receiving the whole request, in milliseconds.',
  }),
  KEEP_ALIVE_TIMEOUT_MS: integer({
    minimum: 0,
    default: 75_000,
    description:
      'How long an idle connection stays open, in milliseconds. Must be longer than the idle timeout of the load balancer.',
  }),
  CONNECTION_MAX_AGE_SECONDS: integer({
    minimum: 0,
    default: 0,
    description:
      'Maximum age of a connection in seconds, ± 20 %: the next response has Connection: close, so that clients move to new replicas. 0: no limit.',
  }),
});

export type Config = Static<typeof configSchema>;

export function loadConfig(env: NodeJS.ProcessEnv = process.env): Config {
  return readConfig({ service: 'ingest', schema: configSchema, env, conflicts });
}

/** How much more memory than its body a batch may take: decompressed, as messages, and as the list of rejections. */
const MEMORY_OF_A_BATCH = 4;
/** The part of a full resource on top of its limit that is left to API keys with less than their share. */
export const FAIR_SHARE_RESERVE = 0.25;
/** What a key alone cannot have of MAX_BODIES_BYTES is kept for the others. */
const MEMORY_FOR_BODIES = MEMORY_OF_A_BATCH * (1 + FAIR_SHARE_RESERVE);

/** What no variable can be wrong about alone. */
function conflicts(config: Config): string[] {
  const problems: string[] = [
    ...kafkaConflicts(config),
    ...certificateConflicts(config, 'TLS'),
    ...redisCertificateConflicts(config),
  ];
  if (config.RATE_LIMIT_BURST < config.MAX_BATCH_READINGS) {
    problems.push(
      `RATE_LIMIT_BURST is ${config.RATE_LIMIT_BURST}, less than MAX_BATCH_READINGS (${config.MAX_BATCH_READINGS}): a full batch would always leave a debt`,
    );
  }
  if (config.MAX_BODIES_BYTES < MEMORY_FOR_BODIES * config.MAX_BATCH_BYTES) {
    problems.push(
      `MAX_BODIES_BYTES is ${config.MAX_BODIES_BYTES}, less than ${MEMORY_FOR_BODIES} times MAX_BATCH_BYTES (${config.MAX_BATCH_BYTES}): a full batch could never pass`,
    );
  }
  if (config.MAX_IN_FLIGHT_BYTES < MEMORY_OF_A_BATCH * config.MAX_BATCH_BYTES) {
    problems.push(
      `MAX_IN_FLIGHT_BYTES is ${config.MAX_IN_FLIGHT_BYTES}, less than ${MEMORY_OF_A_BATCH} times MAX_BATCH_BYTES (${config.MAX_BATCH_BYTES}): a full batch could never pass`,
    );
  }
  return problems;
}
