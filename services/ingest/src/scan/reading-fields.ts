import { QUOTE, byteAt } from './json-bytes.ts';

export const FIELD_NAMES = ['cellar', 'rack', 'keg', 'value', 'timestamp'] as const;
export type FieldName = (typeof FIELD_NAMES)[number];

export const NO_FIELD = -1;
export const CELLAR = 0;
export const RACK = 1;
const KEG = 2;
export const VALUE = 3;
export const TIMESTAMP = 4;

/** A bit for each field. */
export const ALL_FIELDS = (1 << FIELD_NAMES.length) - 1;

/** Plain arrays: measured twice as fast to compare with as buffers. */
const KEYS = FIELD_NAMES.map((name) => Array.from(Buffer.from(`"${name}"`)));

/** Their first letters differ, so one byte says which field a key can only be. */
function fieldByFirstLetter(byte: number): number {
  switch (byte) {
    case 0x63:
      return CELLAR;
    case 0x72:
      return RACK;
    case 0x6b:
      return KEG;
    case 0x76:
      return VALUE;
    case 0x74:
      return TIMESTAMP;
    default:
      return NO_FIELD;
  }
}

/** Which field the key names whose opening quote is at `start`, if it is written without escapes. */
export function matchField(bytes: Buffer, start: number, end: number): number {
  const field = fieldByFirstLetter(byteAt(bytes, start + 1, end));
  if (field === NO_FIELD) return NO_FIELD;
  const key = KEYS[field] as number[];
  if (start + key.length > end || bytes[start] !== QUOTE) return NO_FIELD;
  for (let index = 2; index < key.length; index++) {
    if (bytes[start + index] !== key[index]) return NO_FIELD;
  }
  return field;
}

export function keyLength(field: number): number {
  return (KEYS[field] as number[]).length;
}

export function fieldByName(name: string): number {
  return (FIELD_NAMES as readonly string[]).indexOf(name);
}

export function fieldName(field: number): FieldName {
  return FIELD_NAMES[field] as FieldName;
}

export function missingFields(seen: number): FieldName[] {
  return FIELD_NAMES.filter((_, field) => (seen & (1 << field)) === 0);
}
