import { Type } from '@sinclair/typebox';
import type { Static } from '@sinclair/typebox';

/*
 * What each replica of ingest and of the sink reports about itself to key-service, every two seconds. A Service of
 * Kubernetes balances load, so a scrape of its URL would show only one of several replicas.
 */

export const INGEST_HEALTH_PATH = '/internal/v1/health/ingest';
export const SINK_HEALTH_PATH = '/internal/v1/health/sink';
export const HEALTH_INTERVAL_MS = 2_000;

/** Sums and rates of them stay numbers. */
const countBounds = { minimum: 0, maximum: Number.MAX_SAFE_INTEGER };
const countSchema = Type.Integer(countBounds);
const millisecondsSchema = Type.Number({ minimum: 0 });
const partitionSchema = Type.Integer({ minimum: 0 });
const MAX_PARTITIONS = 10_000;

export const percentilesSchema = Type.Union(
  [Type.Object({ p50: millisecondsSchema, p99: millisecondsSchema }), Type.Null()],
  { description: 'In milliseconds. null: nothing was measured within the window.' },
);
export type Percentiles = Static<typeof percentilesSchema>;

const replica = {
  process: Type.String({ format: 'uuid', description: 'This process. A restart has another one.' }),
  host: Type.String({ minLength: 1, maxLength: 253, description: 'In Kubernetes, the name of the pod.' }),
  version: Type.String({ minLength: 1, maxLength: 64 }),
  uptimeSeconds: Type.Number({ minimum: 0 }),
  isStopping: Type.Boolean({ description: 'true: the last report. The replica is removed from the list.' }),
  windowSeconds: Type.Number({ minimum: 0, description: 'The counts and percentiles cover this time.' }),
  notReady: Type.Array(
    Type.Object({ part: Type.String({ maxLength: 64 }), reason: Type.String({ maxLength: 1_000 }) }),
    { maxItems: 20, description: 'The parts that keep the process from being ready.' },
  ),
};

/** Later versions may add fields. */
export const ingestHealthSchema = Type.Object({
  ...replica,
  accepted: Type.Integer({ ...countBounds, description: 'Readings that were acknowledged.' }),
  rejected: Type.Integer({ ...countBounds, description: 'Requests and readings of batches with a 4xx.' }),
  failed: Type.Integer({ ...countBounds, description: 'Requests with a 503 or 500.' }),
  acknowledgeMs: percentilesSchema,
  waitingReadings: Type.Integer({ ...countBounds, description: 'Readings that wait for Kafka.' }),
  failingPartitions: Type.Array(partitionSchema, { maxItems: MAX_PARTITIONS }),
});
export type IngestHealth = Static<typeof ingestHealthSchema>;

export const partitionHealthSchema = Type.Object({
  partition: partitionSchema,
  leader: Type.Union([Type.Integer(), Type.Null()], { description: 'The broker id. null: no leader.' }),
  replicas: countSchema,
  inSync: countSchema,
  lag: Type.Union([countSchema, Type.Null()], {
    description: 'Messages after the committed offset of the sink. null: unknown.',
  }),
});
export type PartitionHealth = Static<typeof partitionHealthSchema>;

/** Later versions may add fields. */
export const sinkHealthSchema = Type.Object({
  ...replica,
  stored: Type.Integer({ ...countBounds, description: 'Readings that were inserted.' }),
  deadLetters: countSchema,
  storeMs: percentilesSchema,
  behindMs: Type.Union([millisecondsSchema, Type.Null()], {
    description:
      'From the receipt of a reading by ingest until it can be queried: the slowest of the last seconds, or the age of the oldest reading that is not stored yet. null: there was nothing to store.',
  }),
  partitions: Type.Array(partitionSchema, { maxItems: MAX_PARTITIONS, description: 'Assigned partitions.' }),
  hasFailed: Type.Boolean({ description: 'true: the sink has stopped consuming, because of the schema.' }),
  topic: Type.Union(
    [
      Type.Object({
        ageMs: millisecondsSchema,
        partitions: Type.Array(partitionHealthSchema, { maxItems: MAX_PARTITIONS }),
      }),
      Type.Null(),
    ],
    { description: 'Of the topic in Kafka. One sink fetches it for all; null: another one does.' },
  ),
});
export type SinkHealth = Static<typeof sinkHealthSchema>;
