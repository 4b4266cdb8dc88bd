import { Type } from '@sinclair/typebox';
import type { Static } from '@sinclair/typebox';

export const INGEST_PATH = '/api/v1/ingest';
export const SUCCESS_MESSAGE = 'Data ingested successfully';

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
  },
  { title: 'IngestSuccess', additionalProperties: false },
);

export type IngestSuccess = Static<typeof ingestSuccessSchema>;
