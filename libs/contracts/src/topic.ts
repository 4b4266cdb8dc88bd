import { Type } from '@sinclair/typebox';
import type { Static } from '@sinclair/typebox';
import { readingSchema } from './reading.ts';

export const READINGS_TOPIC = 'cellarman.readings.v1';
export const DEAD_LETTER_TOPIC = 'cellarman.readings.v1.dead-letter';

/** The largest batch of records that the topic of the readings takes, and so the largest message. */
export const READINGS_MAX_BYTES = 1024 * 1024;
/** A dead letter is the message and says why in its headers. */
export const DEAD_LETTER_MAX_BYTES = READINGS_MAX_BYTES + 64 * 1024;

/** Says that the value was written by ingest in this shape, so that the sink may pass it through without decoding. */
export const SCHEMA_VERSION = '1';

export const TOPIC_HEADERS = {
  contentType: 'content-type',
  schemaVersion: 'schema-version',
  traceparent: 'traceparent',
} as const;

export const CONTENT_TYPE = 'application/json';

/** Headers that say where a dead letter came from and why it is one. */
export const DEAD_LETTER_HEADERS = {
  reason: 'dead-letter-reason',
  topic: 'dead-letter-topic',
  partition: 'dead-letter-partition',
  offset: 'dead-letter-offset',
} as const;

const { cellar, rack, keg, value, timestamp } = readingSchema.properties;

/**
 * The value of a message: one line of JSON, the fields named as the columns of ClickHouse and in this order.
 * The literal of `value` and the text of `timestamp` stand as the client sent them.
 */
export const topicReadingSchema = Type.Object(
  {
    cellar,
    rack,
    keg,
    value,
    timestamp,
    received_at: Type.String({
      pattern: '^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}\\.\\d{3}Z$',
      description: 'When ingest received it, by the clock of the server: ISO 8601 in UTC with milliseconds.',
      examples: ['2026-11-21T06:30:00.123Z'],
    }),
    key_id: Type.String({
      minLength: 1,
      maxLength: 64,
      pattern: '^[A-Za-z0-9_-]+$',
      description: 'Which API key sent it: its identifier, never the key or its hash.',
    }),
  },
  { $id: 'TopicReading', additionalProperties: false, description: 'One reading in the topic.' },
);

export type TopicReading = Static<typeof topicReadingSchema>;

/**
 * The key of a message. All readings of a device are in one partition, chosen by murmur2 as the Java client does; librdkafka
 * needs `partitioner=murmur2_random` for that.
 */
export function messageKey(cellarName: string, rackName: string): string {
  return `${cellarName}/${rackName}`;
}
