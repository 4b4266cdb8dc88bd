import { readingSchema } from '@cellarman/reading';
import { Type } from '@sinclair/typebox';

const { rack, keg } = readingSchema.properties;

/** Which series a question is about. */
export const seriesQuery = { rack: Type.Optional(rack), keg: Type.Optional(keg) };
