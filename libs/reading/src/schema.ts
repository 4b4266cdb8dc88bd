import { Type } from '@sinclair/typebox';
import type { Static } from '@sinclair/typebox';

export const CELLAR_MAX_LENGTH = 64;

/** It stands in URLs, Kafka keys and SQL literals without escapes. */
export const CELLAR_PATTERN = `^[A-Za-z0-9][A-Za-z0-9._-]{0,${CELLAR_MAX_LENGTH - 1}}$`;

/** Most code points in the name of a rack or a keg. */
export const NAME_MAX_CODE_POINTS = 256;

/** Any text but control characters. */
export const NAME_PATTERN = new RegExp(`^[^\\u0000-\\u001F\\u007F]{1,${NAME_MAX_CODE_POINTS}}$`, 'u').source;

/** The shape only. Whether the date exists and lies in the allowed window is checked separately. */
export const TIMESTAMP_PATTERN = '^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}(\\.\\d{1,9})?Z$';

export const KEY_ID_MAX_LENGTH = 64;

export const cellarSchema = Type.String({
  pattern: CELLAR_PATTERN,
  description:
    'Identifier of the use case or project. Up to 64 letters, digits, dots, underscores and hyphens.',
  examples: ['demo'],
});

const nameSchema = (description: string, example: string) =>
  Type.String({
    minLength: 1,
    maxLength: NAME_MAX_CODE_POINTS,
    pattern: NAME_PATTERN,
    description,
    examples: [example],
  });

/**
 * One reading, as a client sends it. No other field is allowed.
 *
 * The scanner of ingest checks more than a schema can say: duplicate keys, numbers that a double cannot hold, dates that
 * do not exist. `docs/http-api.md` lists it all.
 */
export const readingSchema = Type.Object(
  {
    cellar: cellarSchema,
    rack: nameSchema('Name of the device that sends.', 'boiler-house-2'),
    keg: nameSchema('Name of the sensor or metric.', 'temperature'),
    value: Type.Number({ description: 'The reading. Stored as the nearest double.', examples: [21.5] }),
    timestamp: Type.String({
      pattern: TIMESTAMP_PATTERN,
      description:
        'When it was measured: ISO 8601 in UTC, `YYYY-MM-DDThh:mm:ssZ`, with up to nine fraction digits.',
      examples: ['2026-11-21T06:30:00Z'],
    }),
  },
  { title: 'Reading', additionalProperties: false, description: 'One telemetry reading.' },
);

export type Reading = Static<typeof readingSchema>;

/**
 * The value of a message in the topic: one line of JSON, the fields named as the columns of ClickHouse and in this order.
 * The literal of `value` and the text of `timestamp` are those of the client.
 */
export const topicReadingSchema = Type.Object(
  {
    ...readingSchema.properties,
    received_at: Type.String({
      pattern: '^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}\\.\\d{3}Z$',
      description: 'When ingest received it, by the clock of the server: ISO 8601 in UTC with milliseconds.',
      examples: ['2026-11-21T06:30:00.123Z'],
    }),
    key_id: Type.String({
      minLength: 1,
      maxLength: KEY_ID_MAX_LENGTH,
      pattern: '^[A-Za-z0-9_-]+$',
      description: 'Which API key sent it: its identifier, never the key or its hash.',
    }),
  },
  { $id: 'TopicReading', additionalProperties: false, description: 'One reading in the topic.' },
);

export type TopicReading = Static<typeof topicReadingSchema>;
