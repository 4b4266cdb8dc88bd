import { cellarSchema } from '@cellarman/reading';
import { Type } from '@sinclair/typebox';
import type { Static } from '@sinclair/typebox';
import { lineProtocolKegSchema } from './line-protocol.ts';

/*
 * The requests of the other services to key-service, with `Authorization: Bearer` and the token that they share.
 *
 * `epoch` names the history that the change numbers belong to: PostgreSQL's system identifier and timeline. After a
 * fail-over or a restored backup it is another, and everything that was cached under the old one is worth nothing.
 */

const epochSchema = Type.String({ minLength: 1, description: 'The history that the numbers belong to.' });
const numberSchema = Type.Integer({
  minimum: 0,
  description: 'Change number: gapless, in the order of commits.',
});
const hashSchema = Type.String({ pattern: '^[0-9a-f]{64}$', description: 'SHA-256 of an API key, in hex.' });
const instantSchema = Type.String({ description: 'ISO 8601 in UTC.' });

export const API_KEY_SCOPES = ['ingest', 'read'] as const;
export const scopeSchema = Type.Union(API_KEY_SCOPES.map((scope) => Type.Literal(scope)));
export type Scope = (typeof API_KEY_SCOPES)[number];

export const RETENTION_DAYS = { minimum: 1, maximum: 3650, default: 90 } as const;
export const retentionDaysSchema = Type.Integer({
  minimum: RETENTION_DAYS.minimum,
  maximum: RETENTION_DAYS.maximum,
  description: 'For how many days, counted from its timestamp, a reading is kept.',
});

/** What ingest needs to know of a key. */
export const keyRecordSchema = Type.Object({
  id: Type.String({
    pattern: '^[A-Za-z0-9_-]{1,64}$',
    description: 'Stored as `key_id` in the topic and in ClickHouse.',
  }),
  hash: hashSchema,
  cellar: cellarSchema,
  rack: Type.Union([Type.String(), Type.Null()], { description: 'The only rack that the key may send for.' }),
  rackPrefix: Type.Union([Type.String(), Type.Null()], {
    description: 'The prefix of the names of its racks.',
  }),
  scopes: Type.Array(scopeSchema),
  expiresAt: Type.Union([instantSchema, Type.Null()]),
  revokedAt: Type.Union([instantSchema, Type.Null()]),
  ratePerSecond: Type.Union([Type.Number({ exclusiveMinimum: 0 }), Type.Null()], {
    description: 'At most that of the cellar. null: the default.',
  }),
  rateBurst: Type.Union([Type.Integer({ minimum: 1 }), Type.Null()], {
    description: 'At most that of the cellar. null: the default.',
  }),
  cellarRatePerSecond: Type.Optional(
    Type.Union([Type.Number({ exclusiveMinimum: 0 }), Type.Null()], {
      description: 'For all keys of the cellar together. null: none. The version before does not send it.',
    }),
  ),
  cellarRateBurst: Type.Optional(Type.Union([Type.Integer({ minimum: 1 }), Type.Null()])),
  retentionDays: retentionDaysSchema,
  /** Absent: the default. Few cellars have one, and ingest keeps millions of records. */
  lineProtocolKeg: Type.Optional(lineProtocolKegSchema),
});
export type KeyRecord = Static<typeof keyRecordSchema>;

export const LOOKUP_PATH = '/internal/v1/keys/look-up';
export const MAX_HASHES_PER_LOOKUP = 500;
export const lookupRequestSchema = Type.Object(
  {
    hashes: Type.Array(hashSchema, { minItems: 1, maxItems: MAX_HASHES_PER_LOOKUP }),
    atLeast: Type.Optional(
      Type.Integer({
        minimum: 0,
        description:
          'The change number that the results must include: the last one that the caller has pulled. A replica of key-service that does not know it yet queries PostgreSQL.',
      }),
    ),
  },
  { additionalProperties: false },
);
export const lookupResultSchema = Type.Object({
  epoch: epochSchema,
  number: Type.Integer({ minimum: 0, description: 'The last change that the result includes.' }),
  key: Type.Union([keyRecordSchema, Type.Null()], {
    description: 'null: the key is unknown to PostgreSQL.',
  }),
});
export type LookupResult = Static<typeof lookupResultSchema>;
export const lookupResponseSchema = Type.Object({
  answers: Type.Array(Type.Union([lookupResultSchema, Type.Null()]), {
    description: 'In the order of the hashes. null: unknown at the moment.',
  }),
});
export type LookupResponse = Static<typeof lookupResponseSchema>;

export const CHANGES_PATH = '/internal/v1/changes';
export const changesQuerySchema = Type.Object({
  after: Type.Integer({
    minimum: -1,
    description: 'The last number that the caller has; -1: only return the current number.',
  }),
});
export const changeSchema = Type.Union([
  Type.Object({ number: numberSchema, kind: Type.Literal('key'), hash: hashSchema }),
  Type.Object({ number: numberSchema, kind: Type.Literal('cellar'), cellar: cellarSchema }),
]);
export type Change = Static<typeof changeSchema>;
export const changesResponseSchema = Type.Object({
  epoch: epochSchema,
  number: Type.Integer({
    minimum: 0,
    description: 'The last number in this page; the current number if it is the last page.',
  }),
  complete: Type.Boolean({
    description: 'false: changes after `after` are no longer known. Clear the cache.',
  }),
  more: Type.Boolean({ description: 'true: request the next page immediately.' }),
  changes: Type.Array(changeSchema),
});
export type ChangesResponse = Static<typeof changesResponseSchema>;

export const LAST_USED_PATH = '/internal/v1/keys/last-used';
export const lastUsedRequestSchema = Type.Object(
  {
    uses: Type.Array(Type.Object({ id: keyRecordSchema.properties.id, at: instantSchema }), {
      maxItems: 10_000,
    }),
  },
  { additionalProperties: false },
);
export type LastUsedRequest = Static<typeof lastUsedRequestSchema>;

export const RETENTION_PATH = '/internal/v1/retention';
export const retentionQuerySchema = Type.Object({
  epoch: Type.Optional(epochSchema),
  after: Type.Optional(
    Type.Integer({
      minimum: 0,
      description: 'The `number` of the last response. The list of cellars is left out if none has changed.',
    }),
  ),
});
export const retentionResponseSchema = Type.Object({
  epoch: epochSchema,
  number: numberSchema,
  defaultDays: retentionDaysSchema,
  cellars: Type.Optional(
    Type.Array(Type.Object({ cellar: cellarSchema, days: retentionDaysSchema }), {
      description: 'Left out: no cellar has changed since `after`.',
    }),
  ),
});
export type RetentionResponse = Static<typeof retentionResponseSchema>;
/** The retention of all cellars. */
export type RetentionPolicy = RetentionResponse & Required<Pick<RetentionResponse, 'cellars'>>;

/** For CSV files of readings. The version before has no such path. */
export const KEG_UNITS_PATH = '/internal/v1/keg-units';
export const kegUnitsQuerySchema = Type.Object({ cellar: cellarSchema }, { additionalProperties: false });
export const kegUnitsResponseSchema = Type.Object({
  kegs: Type.Array(Type.Object({ keg: Type.String(), unit: Type.String() }), {
    description: 'Only those that have a unit.',
  }),
});
export type KegUnit = Static<typeof kegUnitsResponseSchema>['kegs'][number];

/** For live streams, which report that it has changed. The version before has no GET of this path. */
export const lastRejectionQuerySchema = Type.Object(
  { cellar: cellarSchema },
  { additionalProperties: false },
);
export const lastRejectionResponseSchema = Type.Object({
  at: Type.Union([Type.String(), Type.Null()], {
    description: 'When a reading of the cellar was last rejected. null: not in the last ten minutes.',
  }),
});

/**
 * A request without a user action, such as the polls of a page that is left open, carries it with the value `1`. It does
 * not count as a use of the session. It is a header between services too, as a version that does not know it ignores it.
 */
export const BACKGROUND_HEADER = 'x-cellarman-background';

export const SESSION_LOOKUP_PATH = '/internal/v1/sessions/look-up';
export const sessionLookupRequestSchema = Type.Object(
  { id: Type.String({ minLength: 1, maxLength: 200, description: 'The value of the session cookie.' }) },
  { additionalProperties: false },
);
export const sessionRecordSchema = Type.Object({
  administrator: Type.Object({
    id: Type.String(),
    email: Type.String(),
    role: Type.Union([Type.Literal('owner'), Type.Literal('member')]),
    cellars: Type.Union([Type.Array(cellarSchema), Type.Null()], { description: 'null: all of them.' }),
  }),
  endsAt: instantSchema,
});
export type SessionRecord = Static<typeof sessionRecordSchema>;
export const sessionLookupResponseSchema = Type.Object({
  session: Type.Union([sessionRecordSchema, Type.Null()], {
    description: 'null: it has ended or does not exist.',
  }),
});
export type SessionLookupResponse = Static<typeof sessionLookupResponseSchema>;
