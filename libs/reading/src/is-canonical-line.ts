import { isUtf8 } from 'node:buffer';
import { TOPIC_FIELDS } from './fields.ts';
import type { Field, FieldKind } from './fields.ts';
import {
  CELLAR_FIRST,
  CELLAR_REST,
  CLOSE_BRACE,
  DOT,
  isDigit,
  isOf,
  KEY_ID,
  MINUS,
  NAME,
  QUOTE,
  ZERO,
} from './json-bytes.ts';
import { EXACT_DIGITS } from './number-problem.ts';
import { CELLAR_MAX_LENGTH, KEY_ID_MAX_LENGTH, NAME_MAX_CODE_POINTS } from './schema.ts';
import { storableEnd } from './timestamp.ts';

/** A decimal of this length and without an exponent neither overflows nor becomes zero. */
const MAX_NUMBER_LENGTH = 40;

/**
 * Whether ClickHouse may be given these bytes as they are: the fields in the order that ingest writes them, each of its
 * kind, and nothing before, between or after them. Nothing is decoded or copied: 0.4 µs for 190 bytes.
 *
 * JSONEachRow alone turns `null`, `"7"`, `true`, a missing field, 23:59:60 and two objects into rows without an error.
 * False does not mean bad: escapes, exponents, long integers and -0 are left to the slower, full check.
 */
export const isCanonicalLine = createCanonicalCheck(TOPIC_FIELDS);

export function createCanonicalCheck(fields: readonly Field[]): (bytes: Uint8Array) => boolean {
  return (bytes) => {
    let at = 0;
    for (let index = 0; index < fields.length; index++) {
      const { prefix, kind, isRequired } = fields[index] as Field;
      const start = prefixEnd(bytes, at, prefix);
      if (start < 0 && !isRequired) continue;
      at = start < 0 ? -1 : valueEnd(kind, bytes, start);
      if (at < 0) return false;
    }
    return bytes[at] === CLOSE_BRACE && at + 1 === bytes.length && isUtf8(bytes);
  };
}

function prefixEnd(bytes: Uint8Array, at: number, prefix: readonly number[]): number {
  const { length } = prefix;
  for (let index = 0; index < length; index++) {
    if (bytes[at + index] !== prefix[index]) return -1;
  }
  return at + length;
}

/** Returns where the value of a field ends that begins at `at`, or -1 when it is not one that passes as it is. */
function valueEnd(kind: FieldKind, bytes: Uint8Array, at: number): number {
  switch (kind) {
    case 'cellar':
      return isOf(bytes[at + 1], CELLAR_FIRST) ? wordEnd(bytes, at, CELLAR_REST, CELLAR_MAX_LENGTH) : -1;
    case 'name':
      return nameEnd(bytes, at);
    case 'number':
      return plainNumberEnd(bytes, at);
    case 'timestamp':
      return timeEnd(bytes, at, 0, 9);
    case 'received_at':
      return timeEnd(bytes, at, 3, 3);
    case 'key_id':
      return wordEnd(bytes, at, KEY_ID, KEY_ID_MAX_LENGTH);
  }
}

function wordEnd(bytes: Uint8Array, at: number, byteClass: number, maxLength: number): number {
  if (bytes[at] !== QUOTE) return -1;
  let end = at + 1;
  while (isOf(bytes[end], byteClass)) end++;
  const length = end - at - 1;
  return length === 0 || length > maxLength || bytes[end] !== QUOTE ? -1 : end + 1;
}

function nameEnd(bytes: Uint8Array, at: number): number {
  if (bytes[at] !== QUOTE) return -1;
  let end = at + 1;
  let codePoints = 0;
  for (let byte = bytes[end]; byte !== undefined && isOf(byte, NAME); byte = bytes[++end]) {
    // Bytes 10xxxxxx continue a code point.
    if ((byte & 0xc0) !== 0x80) codePoints++;
  }
  return codePoints === 0 || codePoints > NAME_MAX_CODE_POINTS || bytes[end] !== QUOTE ? -1 : end + 1;
}

function timeEnd(bytes: Uint8Array, at: number, minFraction: number, maxFraction: number): number {
  if (bytes[at] !== QUOTE) return -1;
  const end = storableEnd(bytes, at + 1, minFraction, maxFraction);
  return end >= 0 && bytes[end] === QUOTE ? end + 1 : -1;
}

/** The end of a JSON number without an exponent that surely is a double, and not -0. */
function plainNumberEnd(bytes: Uint8Array, at: number): number {
  const first = bytes[at] === MINUS ? at + 1 : at;
  let end = first;
  let isZero = true;
  while (isDigit(bytes[end])) {
    if (bytes[end] !== ZERO) isZero = false;
    end++;
  }
  const digits = end - first;
  if (digits === 0 || digits > EXACT_DIGITS || (digits > 1 && bytes[first] === ZERO)) return -1;
  if (bytes[end] === DOT) {
    const fraction = ++end;
    while (isDigit(bytes[end])) {
      if (bytes[end] !== ZERO) isZero = false;
      end++;
    }
    if (end === fraction || end - at > MAX_NUMBER_LENGTH) return -1;
  }
  return isZero && first !== at ? -1 : end;
}
