import { readingSchema } from '@cellarman/reading';
import { Type } from '@sinclair/typebox';

const { rack, keg } = readingSchema.properties;

/** Query parameters that select the series. */
export const seriesQuery = { rack: Type.Optional(rack), keg: Type.Optional(keg) };
