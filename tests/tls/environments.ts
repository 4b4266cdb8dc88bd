import type { EncryptedEngines } from './engines.ts';
import type { Environment, ServiceName } from './service.ts';

export const ADMIN = { email: 'admin@example.com', password: 'correct horse battery staple' };

/** What each service is given where every connection is encrypted. */
export function environments(
  engines: EncryptedEngines,
  /** Its INTERNAL_PORT. */
  keyServiceUrl: string,
): Record<ServiceName, Environment> {
  const { secret, addresses, clickhouse } = engines;
  const ours = (prefix: string) => ({
    [`${prefix}_CERT_FILE`]: secret.certFile,
    [`${prefix}_KEY_FILE`]: secret.keyFile,
  });
  const common = {
    LOG_LEVEL: 'info',
    HOST: '127.0.0.1',
    NODE_EXTRA_CA_CERTS: secret.authoritiesFile,
    ...ours('TLS'),
    INTERNAL_TOKEN: 'internal-token-of-the-tests',
    KEY_SERVICE_URL: keyServiceUrl,
    DEREGISTRATION_DELAY_MS: '0',
  };
  const redis = { REDIS_URL: `rediss://${addresses.redis}`, ...ours('REDIS_TLS') };
  const kafka = { KAFKA_BROKERS: addresses.kafka, KAFKA_TLS: 'true', ...ours('KAFKA_TLS') };
  const stored = {
    ...clickhouse,
    CLICKHOUSE_URL: `https://${addresses.clickhouse}`,
    ...ours('CLICKHOUSE_TLS'),
  };
  const files = `sslcert=${secret.certFile}&sslkey=${secret.keyFile}`;
  return {
    ingest: { ...common, ...redis, ...kafka },
    'key-service': {
      ...common,
      ...redis,
      DATABASE_URL: `postgres://postgres@${addresses.postgres}/postgres?sslmode=verify-full&${files}`,
      ADMIN_EMAIL: ADMIN.email,
      ADMIN_PASSWORD: ADMIN.password,
    },
    query: { ...common, ...stored },
    sink: {
      ...common,
      ...kafka,
      ...stored,
      TOPIC_PARTITIONS: '1',
      TOPIC_REPLICATION_FACTOR: '1',
      TOPIC_MIN_INSYNC_REPLICAS: '1',
      ALLOW_WEAK_TOPIC: 'true',
    },
  };
}
