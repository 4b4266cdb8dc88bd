import { READING_FIELD_NAMES } from '@cellarman/reading';
import { Type } from '@sinclair/typebox';
import type { Static } from '@sinclair/typebox';
import { keyRecordSchema } from './key-service.ts';

/*
 * What ingest rejected of keys that exist, reported to key-service every few seconds, so that users see it with the keys.
 * Requests without a key, or with one that nobody knows, belong to no cellar, and only their number is known.
 */

export const REJECTIONS_PATH = '/internal/v1/refusals';
export const MAX_REJECTIONS_PER_REPORT = 1_000;
export const MAX_REJECTION_DETAIL = 200;
/** An older report would change a past that people have seen already. */
export const OLDEST_REJECTION_MS = 3_600_000;

export const rejectedSchema = Type.Object(
  {
    keyId: keyRecordSchema.properties.id,
    code: Type.String({
      pattern: '^[a-z_]{1,40}$',
      description: 'A code of the error catalogue, or `key_expired` or `key_revoked`.',
    }),
    field: Type.Union([Type.Null(), ...READING_FIELD_NAMES.map((name) => Type.Literal(name))], {
      description: 'The invalid field of the reading, if the error is about a field.',
    }),
    rack: Type.Union(
      [Type.Null(), Type.String({ maxLength: 512, pattern: '^[^\\u0000-\\u001f\\u007f]*$' })],
      {
        description: 'The rack of the latest of these readings, if it could be parsed.',
      },
    ),
    detail: Type.Optional(
      Type.String({
        maxLength: MAX_REJECTION_DETAIL,
        description:
          'The error message of the latest of these rejections: the field, the expected and the received type. Never a value.',
      }),
    ),
    count: Type.Integer({ minimum: 1, maximum: 1_000_000_000 }),
    agoMs: Type.Integer({
      minimum: 0,
      maximum: OLDEST_REJECTION_MS,
      description: 'How long ago the last of them was. An age instead of a time: clocks differ.',
    }),
  },
  { additionalProperties: true },
);
export type Rejected = Static<typeof rejectedSchema>;

const requests = Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER });

export const rejectionsRequestSchema = Type.Object(
  {
    reporter: Type.String({
      format: 'uuid',
      description: 'Identifies this process of ingest.',
    }),
    sequence: Type.Integer({
      minimum: 1,
      maximum: Number.MAX_SAFE_INTEGER,
      description:
        'Increases with each report of a process. A report that is sent again has the same number, and counts once.',
    }),
    // The name that the previous version reads and writes.
    refusals: Type.Array(rejectedSchema, { maxItems: MAX_REJECTIONS_PER_REPORT }),
    unauthenticated: Type.Optional(
      Type.Object({ missing: requests, unknown: requests }, { description: 'They belong to no cellar.' }),
    ),
  },
  // A later version may report more.
  { additionalProperties: true },
);
export type RejectionsRequest = Static<typeof rejectionsRequestSchema>;
