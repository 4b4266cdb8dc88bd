import { READING_FIELDS, READING_FIELD_NAMES } from '@cellarman/reading';
import { QUOTE } from '@cellarman/reading/json-bytes';
import { byteAt } from './scan-position.ts';

/** A field is its index in `READING_FIELDS`. */
export const NO_FIELD = -1;
export const CELLAR = READING_FIELD_NAMES.indexOf('cellar');
export const RACK = READING_FIELD_NAMES.indexOf('rack');

/** Plain arrays: measured twice as fast to compare with as buffers. */
const KEYS = READING_FIELD_NAMES.map((name) => Array.from(Buffer.from(`"${name}"`)));
const REQUIRED_FIELDS = READING_FIELDS.reduce(
  (bits, { isRequired }, field) => (isRequired ? bits | (1 << field) : bits),
  0,
);

/** By the first letter of the key. A field that shares it with an earlier one is found by its name: slower, and as right. */
const FIELD_BY_LETTER = new Int8Array(256).fill(NO_FIELD);
for (const [field, key] of [...KEYS.entries()].reverse()) FIELD_BY_LETTER[key[1] as number] = field;

/** Which field the key names whose opening quote is at `start`, if it is written without escapes. */
export function matchField(bytes: Buffer, start: number, end: number): number {
  if (byteAt(bytes, start, end) !== QUOTE || start + 1 >= end) return NO_FIELD;
  const field = FIELD_BY_LETTER[bytes[start + 1] as number] as number;
  if (field === NO_FIELD) return NO_FIELD;
  const key = KEYS[field] as number[];
  if (start + key.length > end) return NO_FIELD;
  for (let index = 2; index < key.length; index++) {
    if (bytes[start + index] !== key[index]) return NO_FIELD;
  }
  return field;
}

export function keyLength(field: number): number {
  return (KEYS[field] as number[]).length;
}

export function fieldByName(name: string): number {
  return (READING_FIELD_NAMES as readonly string[]).indexOf(name);
}

export function fieldName(field: number): string {
  return READING_FIELD_NAMES[field] as string;
}

export function hasRequiredFields(present: number): boolean {
  return (present & REQUIRED_FIELDS) === REQUIRED_FIELDS;
}

/** The required fields that are missing, in the order of the contract. */
export function missingFields(present: number): string[] {
  return READING_FIELD_NAMES.filter((_, field) => (REQUIRED_FIELDS & ~present & (1 << field)) !== 0);
}
