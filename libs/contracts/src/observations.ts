import { cellarSchema, readingSchema } from '@cellarman/reading';
import { Type } from '@sinclair/typebox';
import type { Static, TSchema } from '@sinclair/typebox';

/*
 * What key-service requests of query to evaluate alert rules, with `Authorization: Bearer` and a token of its own
 * (ALERTS_TOKEN), which gives access to nothing else.
 */

/** Subjects that one rule can have alerts for. A rule that matches more is marked as truncated. */
export const MAX_OBSERVED = 2_000;

const DAY_SECONDS = 86_400;
const instantSchema = Type.String({ description: 'RFC 3339 in UTC.' });
const isTruncated = Type.Boolean({ description: `true: more than ${MAX_OBSERVED} racks match.` });

/** Which racks of a cellar: one, those with a prefix, or all of them. */
const selection = {
  cellar: cellarSchema,
  rack: Type.Optional(readingSchema.properties.rack),
  rackPrefix: Type.Optional(readingSchema.properties.rack),
};

export const SILENT_RACKS_PATH = '/internal/v1/observations/silent-racks';
export const silentRacksQuerySchema = Type.Object(
  {
    ...selection,
    silentForSeconds: Type.Integer({ minimum: 1, maximum: 365 * DAY_SECONDS }),
    forgetAfterSeconds: Type.Integer({
      minimum: 1,
      maximum: 3_650 * DAY_SECONDS,
      description: 'Racks that have been silent for longer are left out.',
    }),
  },
  { additionalProperties: false },
);
export const silentRacksResponseSchema = Type.Object({
  racks: Type.Array(Type.Object({ rack: Type.String(), lastSeenAt: instantSchema })),
  isTruncated,
});

export const KEG_VALUES_PATH = '/internal/v1/observations/keg-values';
export const kegValuesQuerySchema = Type.Object(
  {
    ...selection,
    keg: readingSchema.properties.keg,
    above: Type.Optional(Type.Number()),
    below: Type.Optional(Type.Number()),
    lookBackSeconds: Type.Integer({
      minimum: 1,
      maximum: 30 * DAY_SECONDS,
      description: 'How far to look back for the last value within the limits.',
    }),
  },
  { additionalProperties: false },
);
export const kegValuesResponseSchema = Type.Object({
  racks: Type.Array(
    Type.Object({
      rack: Type.String(),
      value: Type.Number({ description: 'The latest value. It is outside of the limits.' }),
      since: Type.String({
        ...instantSchema,
        description: 'The first reading outside of the limits after `lastGoodAt`, as far as looked back.',
      }),
      lastGoodAt: Type.Union([instantSchema, Type.Null()], {
        description: 'The last reading within the limits. null: none, as far as looked back.',
      }),
    }),
  ),
  isTruncated,
});

export const RECEIVED_COUNT_PATH = '/internal/v1/observations/received-count';
export const receivedCountQuerySchema = Type.Object(
  { cellar: cellarSchema, from: instantSchema, to: instantSchema },
  { additionalProperties: false },
);
export const receivedCountResponseSchema = Type.Object({ readings: Type.Integer({ minimum: 0 }) });

/** Each path with what it takes and returns. */
export const OBSERVATIONS = {
  silentRacks: {
    path: SILENT_RACKS_PATH,
    query: silentRacksQuerySchema,
    response: silentRacksResponseSchema,
  },
  kegValues: { path: KEG_VALUES_PATH, query: kegValuesQuerySchema, response: kegValuesResponseSchema },
  receivedCount: {
    path: RECEIVED_COUNT_PATH,
    query: receivedCountQuerySchema,
    response: receivedCountResponseSchema,
  },
} as const satisfies Record<string, { path: string; query: TSchema; response: TSchema }>;

export type Observation = keyof typeof OBSERVATIONS;
export type ObservationQuery<Name extends Observation> = Static<(typeof OBSERVATIONS)[Name]['query']>;
export type ObservationResponse<Name extends Observation> = Static<(typeof OBSERVATIONS)[Name]['response']>;
