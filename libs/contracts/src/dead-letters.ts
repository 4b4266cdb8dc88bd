import { Type } from '@sinclair/typebox';
import type { Static } from '@sinclair/typebox';

/*
 * Dead letters between the sink and key-service. The sink copies each one from Kafka to key-service, where owners see
 * them. It fetches those to replay, and reports what became of them.
 */

export const DEAD_LETTERS_PATH = '/internal/v1/dead-letters';
export const REPLAYS_PATH = '/internal/v1/dead-letters/replays';
export const MAX_DEAD_LETTERS_PER_REQUEST = 50;
/** A line of ingest is at most half as long. A longer payload is no reading, and only its beginning is kept. */
export const MAX_KEPT_PAYLOAD_BYTES = 32 * 1_024;

const base64Schema = Type.String({ pattern: '^[A-Za-z0-9+/]*={0,2}$', maxLength: 64 * 1_024 });
const reasonSchema = Type.String({ maxLength: 1_000 });
const idSchema = Type.String({ pattern: '^[0-9]{1,18}$' });

export const deadLetterSchema = Type.Object(
  {
    topic: Type.String({ maxLength: 249, description: 'Where the message came from.' }),
    partition: Type.Integer({ minimum: 0 }),
    offset: Type.String({ pattern: '^[0-9]{1,18}$' }),
    at: Type.String({ format: 'date-time', description: 'When it became a dead letter.' }),
    reason: reasonSchema,
    key: base64Schema,
    value: base64Schema,
    size: Type.Integer({ minimum: 0, description: 'Bytes of the payload in the dead-letter topic.' }),
    isTruncated: Type.Boolean({ description: 'true: `value` is the beginning of the payload only.' }),
    headers: Type.Record(Type.String(), Type.String(), { description: 'Those of the message, as text.' }),
  },
  { additionalProperties: false },
);
export type DeadLetter = Static<typeof deadLetterSchema>;

export const deadLettersRequestSchema = Type.Object(
  { deadLetters: Type.Array(deadLetterSchema, { minItems: 1, maxItems: MAX_DEAD_LETTERS_PER_REQUEST }) },
  { additionalProperties: false },
);

export const replaysResponseSchema = Type.Object({
  replays: Type.Array(
    Type.Object({
      id: idSchema,
      value: base64Schema,
      headers: Type.Record(Type.String(), Type.String()),
    }),
    { description: 'The oldest first. They stay in this list until their result is reported.' },
  ),
});
export type Replay = Static<typeof replaysResponseSchema>['replays'][number];

export const replayResultsSchema = Type.Object(
  {
    results: Type.Array(
      Type.Object({
        id: idSchema,
        rejected: Type.Union([reasonSchema, Type.Null()], {
          description: 'Why it is still not a valid reading. null: it is stored.',
        }),
      }),
      { minItems: 1, maxItems: MAX_DEAD_LETTERS_PER_REQUEST },
    ),
  },
  { additionalProperties: false },
);
export type ReplayResult = Static<typeof replayResultsSchema>['results'][number];
