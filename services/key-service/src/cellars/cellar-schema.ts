import { lineProtocolKegSchema, retentionDaysSchema } from '@cellarman/contracts';
import { cellarSchema } from '@cellarman/reading';
import { Type } from '@sinclair/typebox';
import type { Static } from '@sinclair/typebox';
import { instantSchema, optionalInstantSchema } from '../http/instant.ts';
import { optionalRateLimitSchema } from '../http/rate-limit-schema.ts';

/** A page of cellars counts the keys of each of them. */
export const MOST_COUNTED_KEYS = 10_000;

/** A cellar, as the management API shows it. */
export const cellarViewSchema = Type.Object(
  {
    name: cellarSchema,
    retentionDays: retentionDaysSchema,
    rateLimit: Type.Union(optionalRateLimitSchema.anyOf, {
      description: 'For all keys of the cellar together. null: none, and each key has the default of ingest.',
    }),
    lineProtocolKeg: lineProtocolKegSchema,
    activeKeys: Type.Integer({
      maximum: MOST_COUNTED_KEYS + 1,
      description: `Keys that are neither expired nor revoked. ${MOST_COUNTED_KEYS + 1} represents more than ${MOST_COUNTED_KEYS}.`,
    }),
    rejectedLastHour: Type.Integer({
      description: 'Readings of keys of this cellar that were rejected in the last hour.',
    }),
    createdAt: instantSchema,
    createdBy: Type.Union([Type.String(), Type.Null()]),
    archivedAt: optionalInstantSchema,
  },
  { title: 'Cellar' },
);

export type CellarView = Static<typeof cellarViewSchema>;
