import { rejectedSchema } from '@cellarman/contracts';
import { Type } from '@sinclair/typebox';
import type { Static } from '@sinclair/typebox';
import { instantSchema } from '../http/instant.ts';

export const REJECTIONS_KEPT_HOURS = 192;

export const hoursSchema = Type.Integer({
  minimum: 1,
  maximum: REJECTIONS_KEPT_HOURS,
  default: 24,
  description: `How many hours to look back. Rejections are kept for ${REJECTIONS_KEPT_HOURS} hours.`,
});

/** Rejections of one kind: the same key, code and field. */
export const rejectionViewSchema = Type.Object(
  {
    code: rejectedSchema.properties.code,
    field: rejectedSchema.properties.field,
    count: Type.Integer({ minimum: 1 }),
    lastAt: instantSchema,
    rack: Type.Union([Type.String(), Type.Null()], {
      description: 'The rack of the latest of these readings, if it could be parsed.',
    }),
    detail: Type.Union([Type.String(), Type.Null()], {
      description:
        'The error message of the latest of these rejections. It never contains a value of a reading.',
    }),
    key: Type.Object({ id: Type.String(), name: Type.String(), displayPrefix: Type.String() }),
  },
  { title: 'Rejection' },
);
export type RejectionView = Static<typeof rejectionViewSchema>;

/** Rejections of one kind in one minute. The count of the current minute still grows. */
export const rejectionMinuteSchema = Type.Object(
  {
    minute: Type.String({ ...instantSchema, description: 'The start of the minute.' }),
    ...rejectionViewSchema.properties,
  },
  { title: 'RejectionMinute' },
);
export type RejectionMinute = Static<typeof rejectionMinuteSchema>;

export const STEPS = [60, 300, 900, 3_600, 10_800, 21_600, 86_400] as const;

export const rejectionBucketSchema = Type.Object({
  at: Type.String({ ...instantSchema, description: 'The start of the bucket.' }),
  code: rejectedSchema.properties.code,
  rejected: Type.Integer({ minimum: 1 }),
});
export type RejectionBucket = Static<typeof rejectionBucketSchema>;

export const unauthenticatedBucketSchema = Type.Object({
  at: Type.String({ ...instantSchema, description: 'The start of the bucket.' }),
  missing: Type.Integer({ minimum: 0, description: 'Requests without an API key.' }),
  unknown: Type.Integer({ minimum: 0, description: 'Requests with a key that does not exist.' }),
});
export type UnauthenticatedBucket = Static<typeof unauthenticatedBucketSchema>;
