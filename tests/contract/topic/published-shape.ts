import {
  CONTENT_TYPE,
  messageKey,
  READINGS_TOPIC,
  SCHEMA_VERSION,
  TOPIC_HEADERS,
} from '@cellarman/contracts';
import { topicReadingSchema } from '@cellarman/reading';
import type { JsonSchema } from './json-schema.ts';

/** What consumers of the topic may rely on. A copy of it is committed when it is published. */
export interface PublishedShape {
  topic: string;
  /** How the key of a message is made. */
  key: { cellar: string; rack: string; key: string };
  headers: JsonSchema;
  value: JsonSchema;
}

/** The shape that the code has now. */
export function currentShape(): PublishedShape {
  const cellar = 'demo';
  const rack = 'boiler-house-2';
  return {
    topic: READINGS_TOPIC,
    key: { cellar, rack, key: messageKey(cellar, rack) },
    headers: {
      type: 'object',
      required: [TOPIC_HEADERS.contentType, TOPIC_HEADERS.schemaVersion],
      properties: {
        [TOPIC_HEADERS.contentType]: { const: CONTENT_TYPE, type: 'string' },
        [TOPIC_HEADERS.schemaVersion]: {
          const: SCHEMA_VERSION,
          type: 'string',
          description: 'The shape of the value.',
        },
        [TOPIC_HEADERS.traceparent]: {
          type: 'string',
          pattern: '^00-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}$',
          description: 'W3C trace context of the request. Left out when there is no trace.',
        },
      },
    },
    value: openToNewFields(topicReadingSchema),
  };
}

/**
 * Ingest writes no field that it does not know, but a consumer must not insist on that:
 * version 1 may get further fields.
 */
function openToNewFields(schema: object): JsonSchema {
  // Through JSON, because TypeBox keeps symbols of its own on a schema.
  const open = JSON.parse(JSON.stringify(schema)) as JsonSchema;
  delete open.$id;
  delete open.additionalProperties;
  return open;
}
