export const READINGS_TOPIC = 'cellarman.readings.v1';
export const DEAD_LETTER_TOPIC = 'cellarman.readings.v1.dead-letter';
/** Time to notice dead letters, and to replay them. */
export const DEAD_LETTER_RETENTION_DAYS = 30;

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

/**
 * The key of a message. All readings of a device are in one partition, chosen by murmur2 as the Java client does; librdkafka
 * needs `partitioner=murmur2_random` for that.
 */
export function messageKey(cellarName: string, rackName: string): string {
  return `${cellarName}/${rackName}`;
}
