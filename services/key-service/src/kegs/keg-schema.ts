import { ApiError } from '@cellarman/http-api';
import { readingSchema } from '@cellarman/reading';
import { Type } from '@sinclair/typebox';
import type { Static, TSchema } from '@sinclair/typebox';

/** Keeps a list of all of them small enough for one response. */
export const MAX_KEGS = 1_000;

const NO_CONTROL_CHARACTERS = String.raw`^[^\u0000-\u001F\u007F]+$`;

const text = (maxLength: number) => Type.String({ minLength: 1, maxLength, pattern: NO_CONTROL_CHARACTERS });

const nullable = <Schema extends TSchema>(schema: Schema, description: string) =>
  Type.Union([schema, Type.Null()], { description });

const range = {
  min: nullable(Type.Number(), 'The lowest good value. null: no lower limit.'),
  max: nullable(Type.Number(), 'The highest good value. null: no upper limit.'),
};
const RANGE = 'Values outside of it are highlighted. `min` is not greater than `max`.';

const properties = {
  unit: nullable(text(32), 'Unit of the values, such as °C.'),
  decimals: nullable(
    Type.Integer({ minimum: 0, maximum: 9 }),
    'Digits after the decimal point. null: as many as the value has.',
  ),
  description: nullable(text(200), 'What the keg measures, and where.'),
};

/** The settings of a keg, as the management API shows them. */
export const kegViewSchema = Type.Object(
  {
    keg: readingSchema.properties.keg,
    ...properties,
    goodRange: Type.Object(range, { description: RANGE }),
  },
  { title: 'KegSettings' },
);
export type KegView = Static<typeof kegViewSchema>;
export type KegSettings = Omit<KegView, 'keg'>;

/** As a request sets them. Omitted properties are null. */
export const givenKegSettingsSchema = Type.Partial(
  Type.Object({
    ...properties,
    goodRange: Type.Partial(Type.Object(range), { description: RANGE, additionalProperties: false }),
  }),
  { additionalProperties: false },
);

/** @throws {ApiError} `invalid_request` */
export function readKegSettings(given: Static<typeof givenKegSettingsSchema>): KegSettings {
  const {
    unit = null,
    decimals = null,
    description = null,
    goodRange: { min = null, max = null } = {},
  } = given;
  if (min !== null && max !== null && min > max) {
    throw new ApiError('invalid_request', 'body/goodRange: min must not be greater than max');
  }
  return { unit, decimals, description, goodRange: { min, max } };
}
