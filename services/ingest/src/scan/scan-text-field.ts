import { CELLAR_MAX_LENGTH, NAME_MAX_CODE_POINTS } from '@cellarman/reading';
import { CELLAR_FIRST, CELLAR_REST, isOf, QUOTE } from '@cellarman/reading/json-bytes';
import { CELLAR, fieldName, RACK } from './match-field.ts';
import { byteAt, isError } from './scan-position.ts';
import type { ScannedReading, ScanState } from './scan-state.ts';
import { reject } from './scan-state.ts';
import { rejectType } from './reject-type.ts';
import { decodeString, scanString, skipPlainText } from './scan-string.ts';

/** A call into the engine to make text costs as much as scanning a third of a reading: one call serves up to this many bytes. */
const MAX_SHARED_TEXT = 512;

/** Reads the name of a cellar, written with escapes or without. */
export function scanCellar(bytes: Buffer, start: number, end: number, state: ScanState): number {
  const { string, reading } = state;
  if (byteAt(bytes, start, end) !== QUOTE) return rejectType(CELLAR, 'a string', bytes, start, end, state);
  let quote = skipCellarName(bytes, start + 1, end);
  let length = quote - start - 1;
  if (byteAt(bytes, quote, end) !== QUOTE) {
    const stringEnd = scanString(bytes, start, end, string);
    if (isError(stringEnd)) return stringEnd;
    reading.cellar = decodeString(bytes, start, stringEnd, string.escaped);
    const decoded = Buffer.from(reading.cellar);
    length = skipCellarName(decoded, 0, decoded.length) === decoded.length ? decoded.length : 0;
    quote = stringEnd - 1;
  }
  if (length < 1 || length > CELLAR_MAX_LENGTH) {
    const rule = `1 to ${CELLAR_MAX_LENGTH} letters, digits, dots, underscores or hyphens, the first a letter or digit`;
    return reject(state, start, `"cellar" must be ${rule}`);
  }
  return quote + 1;
}

/** Reads a name: 1 to 256 code points, any text without control characters. */
export function scanName(field: number, bytes: Buffer, start: number, end: number, state: ScanState): number {
  const { string, reading } = state;
  if (byteAt(bytes, start, end) !== QUOTE) return rejectType(field, 'a string', bytes, start, end, state);
  const quote = skipPlainText(bytes, start + 1, end);
  let stringEnd = quote + 1;
  let codePoints = quote - start - 1;
  const plain = byteAt(bytes, quote, end) === QUOTE;
  if (!plain) {
    stringEnd = scanString(bytes, start, end, string);
    if (isError(stringEnd)) return stringEnd;
    codePoints = string.codePoints;
    if (string.control)
      return reject(state, start, `"${fieldName(field)}" must not contain control characters`);
    if (string.loneSurrogate) {
      return reject(state, start, `"${fieldName(field)}" contains half of a surrogate pair`);
    }
  }
  if (codePoints < 1 || codePoints > NAME_MAX_CODE_POINTS) {
    return reject(state, start, `"${fieldName(field)}" must have 1 to ${NAME_MAX_CODE_POINTS} characters`);
  }
  // No step needs another name as text, so no other is decoded.
  if (field === RACK && !plain) reading.rack = decodeString(bytes, start, stringEnd, string.escaped);
  return stringEnd;
}

/** Makes text of the cellar and the rack that needed no decoding so far: what is printable ASCII is also latin1. */
export function decodePlainText(bytes: Buffer, reading: ScannedReading): void {
  const { starts, ends } = reading;
  const cellarStart = starts[CELLAR] as number;
  const cellarEnd = ends[CELLAR] as number;
  const rackStart = starts[RACK] as number;
  const rackEnd = ends[RACK] as number;
  const from = Math.min(cellarStart, rackStart);
  const to = Math.max(cellarEnd, rackEnd);
  if (reading.cellar === '' && reading.rack === '' && to - from <= MAX_SHARED_TEXT) {
    const text = bytes.toString('latin1', from, to);
    reading.cellar = text.substring(cellarStart + 1 - from, cellarEnd - 1 - from);
    reading.rack = text.substring(rackStart + 1 - from, rackEnd - 1 - from);
    return;
  }
  if (reading.cellar === '') reading.cellar = bytes.toString('latin1', cellarStart + 1, cellarEnd - 1);
  if (reading.rack === '') reading.rack = bytes.toString('latin1', rackStart + 1, rackEnd - 1);
}

/** Returns where the name ends that begins at `start`, or `start` if none does. */
function skipCellarName(bytes: Buffer, start: number, end: number): number {
  if (start >= end || !isOf(bytes[start], CELLAR_FIRST)) return start;
  let position = start + 1;
  while (position < end && isOf(bytes[position], CELLAR_REST)) position++;
  return position;
}
