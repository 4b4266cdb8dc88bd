import { readingSchema } from '@cellarman/reading';
import { Type } from '@sinclair/typebox';
import type { Static } from '@sinclair/typebox';

const MINUTE = 60;
const DAY = 86_400;

const rackName = Type.Union([readingSchema.properties.rack, Type.Null()]);

/** Which racks a rule is about: with both null, all of them. */
const selection = {
  rack: Type.Union(rackName.anyOf, { description: 'The only rack.' }),
  rackPrefix: Type.Union(rackName.anyOf, {
    description: 'A prefix of rack names. Not together with `rack`.',
  }),
};
const closed = { additionalProperties: false } as const;

const rackSilentSchema = Type.Object(
  {
    kind: Type.Literal('rack_silent'),
    ...selection,
    silentForSeconds: Type.Integer({
      minimum: MINUTE,
      maximum: 30 * DAY,
      description: 'Fires when the last reading of a rack was received longer ago.',
    }),
    forgetAfterSeconds: Type.Integer({
      minimum: 2 * MINUTE,
      maximum: 365 * DAY,
      description: 'A rack that has been silent for longer counts as removed: its alert is resolved.',
    }),
  },
  { ...closed, title: 'RackSilent' },
);

const kegValueSchema = Type.Object(
  {
    kind: Type.Literal('keg_value'),
    ...selection,
    keg: readingSchema.properties.keg,
    above: Type.Union([Type.Number(), Type.Null()], { description: 'Fires for values greater than this.' }),
    below: Type.Union([Type.Number(), Type.Null()], { description: 'Fires for values less than this.' }),
    forSeconds: Type.Integer({
      minimum: 0,
      maximum: 7 * DAY,
      description: 'How long values must be outside of the limits, by their timestamps.',
    }),
  },
  { ...closed, title: 'KegValue' },
);

const rejectedShareSchema = Type.Object(
  {
    kind: Type.Literal('rejected_share'),
    percent: Type.Number({
      exclusiveMinimum: 0,
      maximum: 100,
      description: 'Fires when more than this share of the readings of the cellar was rejected.',
    }),
    windowSeconds: Type.Integer({
      minimum: 5 * MINUTE,
      maximum: DAY,
      multipleOf: MINUTE,
      description: 'The time range that is evaluated, up to now.',
    }),
    minRejected: Type.Integer({
      minimum: 1,
      maximum: 1_000_000,
      description: 'Fewer rejected readings in the time range do not fire.',
    }),
  },
  { ...closed, title: 'RejectedShare' },
);

const keyExpiresSchema = Type.Object(
  {
    kind: Type.Literal('key_expires'),
    withinDays: Type.Integer({
      minimum: 1,
      maximum: 365,
      description: 'Fires for keys that expire within this many days and were used in the last 7 days.',
    }),
  },
  { ...closed, title: 'KeyExpires' },
);

/** What a rule evaluates. */
export const conditionSchema = Type.Union([
  rackSilentSchema,
  kegValueSchema,
  rejectedShareSchema,
  keyExpiresSchema,
]);

export type Condition = Static<typeof conditionSchema>;
export type ConditionOf<Kind extends Condition['kind']> = Extract<Condition, { kind: Kind }>;
