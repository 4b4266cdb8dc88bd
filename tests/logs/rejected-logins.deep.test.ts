import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { startKafkaCluster } from '../../libs/kafka/tests/kafka-cluster.ts';
import type { KafkaCluster } from '../../libs/kafka/tests/kafka-cluster.ts';
import { startCollector } from '../../libs/telemetry/tests/collector.ts';
import type { Collector } from '../../libs/telemetry/tests/collector.ts';
import { mountSecret } from '../../libs/tls/tests/mounted-secret.ts';
import type { MountedSecret } from '../../libs/tls/tests/mounted-secret.ts';
import { createTestDatabase } from '../../services/key-service/tests/test-database.ts';
import type { TestDatabase } from '../../services/key-service/tests/test-database.ts';
import { startService } from '../tls/service.ts';
import type { Environment, Service, ServiceName } from '../tls/service.ts';

/* Every engine rejects the login of every client. The password is in no log line, and not in what goes to a collector. */

const PASSWORD = `rejected-${randomBytes(12).toString('hex')}`;
const USER = 'nobody_here';

let kafka: KafkaCluster;
let authorities: MountedSecret;
let database: TestDatabase;
let collector: Collector;

beforeAll(async () => {
  [kafka, authorities, database, collector] = await Promise.all([
    startKafkaCluster(1, { isSecured: true }),
    mountSecret(),
    createTestDatabase(inject('engines').databaseUrl),
    startCollector(),
  ]);
  await authorities.write({ authorities: kafka.secured.authority.certificate });
});

afterAll(async () => {
  await Promise.all([kafka.stop(), authorities.remove(), database.stop(), collector.close()]);
});

function withLogin(address: string, password = PASSWORD): string {
  const url = new URL(address);
  url.username = USER;
  url.password = password;
  return url.href;
}

interface Login {
  client: string;
  service: ServiceName;
  environment: () => Environment;
  /** What the engine says about it. */
  rejection: RegExp;
}

const kafkaLogin = (): Environment => ({
  KAFKA_BROKERS: kafka.secured.brokers.join(','),
  KAFKA_TLS: 'true',
  NODE_EXTRA_CA_CERTS: authorities.authoritiesFile,
  KAFKA_SASL_MECHANISM: 'scram-sha-512',
  KAFKA_USERNAME: USER,
  KAFKA_PASSWORD: PASSWORD,
});

const clickhouseLogin = (): Environment => ({
  CLICKHOUSE_URL: inject('engines').clickhouseUrl,
  CLICKHOUSE_USER: USER,
  CLICKHOUSE_PASSWORD: PASSWORD,
});

const plainKafka = (): Environment => ({ KAFKA_BROKERS: inject('engines').kafkaBrokers.join(',') });
const plainRedis = (): Environment => ({ REDIS_URL: inject('engines').redisUrl });
const redisLogin = (): Environment => ({ REDIS_URL: withLogin(inject('engines').redisUrl) });

const LOGINS: readonly Login[] = [
  {
    client: 'ioredis',
    service: 'ingest',
    environment: () => ({ ...plainKafka(), ...redisLogin() }),
    rejection: /WRONGPASS/,
  },
  {
    client: 'ioredis',
    service: 'key-service',
    environment: () => ({ DATABASE_URL: database.url, ...redisLogin() }),
    rejection: /WRONGPASS/,
  },
  {
    client: 'pg',
    service: 'key-service',
    environment: () => ({ DATABASE_URL: withLogin(inject('engines').databaseUrl), ...plainRedis() }),
    rejection: /password authentication failed|role \\"nobody_here\\" does not exist/,
  },
  {
    client: 'pg at an unknown host',
    service: 'key-service',
    environment: () => ({
      DATABASE_URL: withLogin(inject('engines').databaseUrl).replace(/@.*/, '@engine.invalid:1/x'),
      ...plainRedis(),
    }),
    rejection: /engine\.invalid/,
  },
  {
    client: '@clickhouse/client',
    service: 'query',
    environment: clickhouseLogin,
    rejection: /Authentication failed/,
  },
  {
    client: '@clickhouse/client',
    service: 'sink',
    environment: () => ({ ...plainKafka(), ...clickhouseLogin() }),
    rejection: /Authentication failed/,
  },
  {
    client: 'kafkajs',
    service: 'ingest',
    environment: () => ({ ...kafkaLogin(), ...plainRedis() }),
    rejection: /SASL SCRAM.* failed|SaslAuthentication|[Aa]uthentication failed/,
  },
];

async function start({ service, environment }: Login): Promise<Service> {
  return startService(service, {
    LOG_LEVEL: 'debug',
    HOST: '127.0.0.1',
    INTERNAL_TOKEN: 'internal-token-of-the-tests',
    KEY_SERVICE_URL: 'http://127.0.0.1:9',
    OTEL_LOGS_EXPORTER: 'otlp',
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.endpoint,
    ...environment(),
  });
}

test.each(LOGINS)('$service with $client logs the rejection and not the password', async (login) => {
  const service = await start(login);
  try {
    await expect
      .poll(() => service.log().find((line) => login.rejection.test(line)) ?? service.log(), {
        timeout: 60_000,
        interval: 50,
      })
      .toMatch(login.rejection);
  } finally {
    await service.stop();
  }
  expect(service.log().join('\n')).not.toContain(PASSWORD);
});

test('the collector got the lines, without the password', () => {
  const exported = Buffer.concat(collector.at('/v1/logs'));
  expect(exported.includes('WRONGPASS')).toBe(true);
  expect(exported.includes('Authentication failed')).toBe(true);
  expect(exported.includes(PASSWORD)).toBe(false);
});
