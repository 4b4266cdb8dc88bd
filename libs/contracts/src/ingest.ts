import { Type } from '@sinclair/typebox';
import type { Static } from '@sinclair/typebox';

export const INGEST_PATH = '/api/v1/ingest';
export const SUCCESS_MESSAGE = 'Data ingested successfully';

/** Where Kafka stored a reading. */
export const ingestStoredSchema = Type.Object(
  {
    topic: Type.String(),
    partition: Type.Integer({ minimum: 0 }),
    offset: Type.Optional(
      Type.Integer({ minimum: 0, description: 'Absent in the rare case that Kafka did not report it.' }),
    ),
    replicas: Type.Optional(
      Type.Integer({ minimum: 0, description: 'Of the partition. Absent until the metadata is known.' }),
    ),
    in_sync_replicas: Type.Optional(
      Type.Integer({ minimum: 0, description: 'How many of them were in sync at `replicas_checked_at`.' }),
    ),
    replicas_checked_at: Type.Optional(
      Type.String({
        description:
          'When ingest last refreshed the metadata of the topic, which is about every ten seconds.',
      }),
    ),
    acknowledged_after_ms: Type.Integer({
      minimum: 0,
      description: 'From receipt until all in-sync replicas had the reading, by the clock of ingest.',
    }),
  },
  {
    title: 'IngestStored',
    additionalProperties: false,
    description: 'Where Kafka stored the reading. With `Prefer: return=representation` only.',
  },
);

/** The response to a reading that Kafka has acknowledged on all in-sync replicas. */
export const ingestSuccessSchema = Type.Object(
  {
    status: Type.Literal('success'),
    message: Type.Literal(SUCCESS_MESSAGE),
    timestamp: Type.String({
      description:
        'When the server received it: ISO 8601 in UTC with milliseconds, the same as `received_at` in the topic.',
      examples: ['2026-11-21T06:30:00.123Z'],
    }),
    stored: Type.Optional(ingestStoredSchema),
  },
  { title: 'IngestSuccess', additionalProperties: false },
);

export type IngestStored = Static<typeof ingestStoredSchema>;
export type IngestSuccess = Static<typeof ingestSuccessSchema>;
