import { isUtf8 } from 'node:buffer';
import { CELLAR_FIRST, CELLAR_REST, DOT, isDigit, isOf, KEY_ID, MINUS, NAME, ZERO } from './json-bytes.ts';
import { timestampEnd } from './timestamp.ts';

const CELLAR_FIELD = Buffer.from('{"cellar":"');
const RACK_FIELD = Buffer.from('","rack":"');
const KEG_FIELD = Buffer.from('","keg":"');
const VALUE_FIELD = Buffer.from('","value":');
const TIMESTAMP_FIELD = Buffer.from(',"timestamp":"');
const RECEIVED_AT_FIELD = Buffer.from('","received_at":"');
const KEY_ID_FIELD = Buffer.from('","key_id":"');
const LINE_END = Buffer.from('"}');

const MAX_CELLAR = 64;
const MAX_KEY_ID = 64;
const MAX_NAME_CODE_POINTS = 256;
/** Every integer of 15 digits is exact in a double. */
const MAX_INTEGER_DIGITS = 15;
/** A decimal of this length and without an exponent neither overflows nor becomes zero. */
const MAX_NUMBER_LENGTH = 40;

/**
 * Whether ClickHouse may be given these bytes as they are: the seven fields in the order that ingest writes them, each of
 * its kind, and nothing before, between or after them. Nothing is decoded or copied: 0.4 µs for 190 bytes.
 *
 * JSONEachRow alone turns `null`, `"7"`, `true`, a missing field, 23:59:60 and two objects into rows without a word.
 * False does not mean bad: escapes, exponents, long integers and -0 are left to the slower, full check.
 */
export function isCanonicalLine(bytes: Uint8Array): boolean {
  let at = literalEnd(bytes, 0, CELLAR_FIELD);
  if (at < 0 || !isOf(bytes[at], CELLAR_FIRST)) return false;
  at = literalEnd(bytes, wordEnd(bytes, at, CELLAR_REST, MAX_CELLAR), RACK_FIELD);
  at = literalEnd(bytes, nameEnd(bytes, at), KEG_FIELD);
  at = literalEnd(bytes, nameEnd(bytes, at), VALUE_FIELD);
  at = literalEnd(bytes, plainNumberEnd(bytes, at), TIMESTAMP_FIELD);
  at = literalEnd(bytes, timestampEnd(bytes, at, 0, 9), RECEIVED_AT_FIELD);
  at = literalEnd(bytes, timestampEnd(bytes, at, 3, 3), KEY_ID_FIELD);
  at = literalEnd(bytes, wordEnd(bytes, at, KEY_ID, MAX_KEY_ID), LINE_END);
  return at === bytes.length && isUtf8(bytes);
}

/** Each step takes where the one before it ended, and gives -1 on when that one failed. */
function literalEnd(bytes: Uint8Array, at: number, literal: Uint8Array): number {
  if (at < 0) return -1;
  const { length } = literal;
  for (let i = 0; i < length; i++) {
    if (bytes[at + i] !== literal[i]) return -1;
  }
  return at + length;
}

function wordEnd(bytes: Uint8Array, at: number, byteClass: number, maxLength: number): number {
  if (at < 0) return -1;
  let end = at;
  while (isOf(bytes[end], byteClass)) end++;
  return end === at || end - at > maxLength ? -1 : end;
}

function nameEnd(bytes: Uint8Array, at: number): number {
  if (at < 0) return -1;
  let end = at;
  let codePoints = 0;
  for (let byte = bytes[end]; byte !== undefined && isOf(byte, NAME); byte = bytes[++end]) {
    // Bytes 10xxxxxx continue a code point.
    if ((byte & 0xc0) !== 0x80) codePoints++;
  }
  return codePoints === 0 || codePoints > MAX_NAME_CODE_POINTS ? -1 : end;
}

/** The end of a JSON number without an exponent that surely is a double, and not -0. */
function plainNumberEnd(bytes: Uint8Array, at: number): number {
  if (at < 0) return -1;
  const first = bytes[at] === MINUS ? at + 1 : at;
  let end = first;
  let isZero = true;
  while (isDigit(bytes[end])) {
    if (bytes[end] !== ZERO) isZero = false;
    end++;
  }
  const digits = end - first;
  if (digits === 0 || digits > MAX_INTEGER_DIGITS || (digits > 1 && bytes[first] === ZERO)) return -1;
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
