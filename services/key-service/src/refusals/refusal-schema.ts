import { refusedSchema } from '@cellarman/contracts';
import { Type } from '@sinclair/typebox';
import type { Static } from '@sinclair/typebox';
import { instantSchema } from '../http/instant.ts';

export const REFUSALS_KEPT_HOURS = 192;

export const hoursSchema = Type.Integer({
  minimum: 1,
  maximum: REFUSALS_KEPT_HOURS,
  default: 24,
  description: `How many hours to look back. Refusals are kept for ${REFUSALS_KEPT_HOURS} hours.`,
});

/** Refusals of one kind: the same key, code and field. */
export const refusalViewSchema = Type.Object(
  {
    code: refusedSchema.properties.code,
    field: refusedSchema.properties.field,
    count: Type.Integer({ minimum: 1 }),
    lastAt: instantSchema,
    rack: Type.Union([Type.String(), Type.Null()], {
      description: 'Of the last of them, where the reading was good enough to tell.',
    }),
    key: Type.Object({ id: Type.String(), name: Type.String(), displayPrefix: Type.String() }),
  },
  { title: 'Refusal' },
);
export type RefusalView = Static<typeof refusalViewSchema>;

export const STEPS = [60, 300, 900, 3_600, 10_800, 21_600, 86_400] as const;

export const refusalBucketSchema = Type.Object({
  at: Type.String({ ...instantSchema, description: 'The begin of the bucket.' }),
  code: refusedSchema.properties.code,
  refused: Type.Integer({ minimum: 1 }),
});
export type RefusalBucket = Static<typeof refusalBucketSchema>;
