import type { TObject, TSchema } from '@sinclair/typebox';
import { configSchema as canary } from '../../../services/canary/src/config.ts';
import { configSchema as ingest } from '../../../services/ingest/src/config.ts';
import { configSchema as keyService } from '../../../services/key-service/src/config.ts';
import { configSchema as query } from '../../../services/query/src/config.ts';
import { configSchema as sink } from '../../../services/sink/src/config.ts';

/** The services by their name in values.yaml. */
export const SERVICES: Record<'ingest' | 'keyService' | 'sink' | 'query' | 'canary', TObject> = {
  ingest,
  keyService,
  sink,
  query,
  canary,
};
export type ServiceName = keyof typeof SERVICES;

/** What the chart sets from other values, so that two places cannot disagree. Secrets are not in it: they are marked in the schema. */
const SET_BY_THE_CHART = new Set([
  'HOST',
  'PORT',
  'INTERNAL_PORT',
  'OPERATIONS_PORT',
  'DEREGISTRATION_DELAY_MS',
  'SHUTDOWN_DEADLINE_MS',
  'LOG_LEVEL',
  'OTEL_EXPORTER_OTLP_ENDPOINT',
  'OTEL_TRACES_SAMPLER_ARG',
  'OTEL_METRICS_EXPORTER',
  'OTEL_METRIC_EXPORT_INTERVAL',
  'OTEL_LOGS_EXPORTER',
  'KAFKA_BROKERS',
  'KAFKA_TLS',
  'KAFKA_SASL_MECHANISM',
  'KAFKA_USERNAME',
  'KAFKA_TLS_CERT_FILE',
  'KAFKA_TLS_KEY_FILE',
  'REDIS_TLS_CERT_FILE',
  'REDIS_TLS_KEY_FILE',
  'CLICKHOUSE_TLS_CERT_FILE',
  'CLICKHOUSE_TLS_KEY_FILE',
  'TLS_CERT_FILE',
  'TLS_KEY_FILE',
  'NODE_EXTRA_CA_CERTS',
  'READINGS_TOPIC',
  'DEAD_LETTER_TOPIC',
  'TOPIC_PARTITIONS',
  'TOPIC_RETENTION_HOURS',
  'TOPIC_RETENTION_GIB',
  'TOPIC_REPLICATION_FACTOR',
  'TOPIC_MIN_INSYNC_REPLICAS',
  'ALLOW_WEAK_TOPIC',
  'CONSUMER_GROUP',
  'CLICKHOUSE_URL',
  'CLICKHOUSE_DATABASE',
  'CLICKHOUSE_USER',
  'KEY_SERVICE_URL',
  'QUERY_URL',
  'INGEST_URL',
  'CELLAR',
  'INGEST_REPLICAS',
  'KEEP_ALIVE_TIMEOUT_MS',
  'CONNECTION_MAX_AGE_SECONDS',
  'REDIS_URL',
  'ADMIN_EMAIL',
  'INGEST_PUBLIC_URL',
  'RUNBOOK_BASE_URL',
  'TRUSTED_PROXIES',
]);

const KEPT = ['type', 'minimum', 'maximum', 'exclusiveMinimum', 'pattern', 'minLength', 'description'];

/** The variables of a service that may be given as `config`, as JSON Schema. */
export function settableVariables(service: ServiceName): Record<string, object> {
  const variables = Object.entries(SERVICES[service].properties).filter(
    ([name, schema]) => !SET_BY_THE_CHART.has(name) && schema['secret'] !== true,
  );
  return Object.fromEntries(variables.map(([name, schema]) => [name, plainSchema(schema)]));
}

/** Draft 7, which every Helm reads, without TypeBox's own marks. */
function plainSchema(schema: TSchema): object {
  const choices = schema['anyOf'] as { const: string }[] | undefined;
  if (choices !== undefined) {
    return { enum: choices.map((choice) => choice.const), description: schema.description };
  }
  return Object.fromEntries(KEPT.filter((key) => key in schema).map((key) => [key, schema[key] as unknown]));
}
