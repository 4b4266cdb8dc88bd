import { NAME_MAX_CODE_POINTS } from '@cellarman/contracts';
import type { Draft, ScannedReading } from './draft.ts';
import { refuse } from './draft.ts';
import { NINE, QUOTE, ZERO, byteAt, isFault } from './json-bytes.ts';
import { RACK, fieldName } from './reading-fields.ts';
import { decodeString, scanString, skipPlainText } from './scan-string.ts';

const CELLAR_MAX_LENGTH = 64;

/** A call into the engine to make text costs as much as scanning a third of a reading: one call serves up to so many bytes. */
const MAX_SHARED_TEXT = 512;

/** Reads `[A-Za-z0-9][A-Za-z0-9._-]{0,63}`, written with escapes or without. */
export function scanCellar(bytes: Buffer, start: number, end: number, draft: Draft): number {
  const { facts, reading } = draft;
  if (byteAt(bytes, start, end) !== QUOTE) return refuse(draft, start, '"cellar" must be a string');
  let quote = skipCellarName(bytes, start + 1, end);
  let length = quote - start - 1;
  if (byteAt(bytes, quote, end) !== QUOTE) {
    const stringEnd = scanString(bytes, start, end, facts);
    if (isFault(stringEnd)) return stringEnd;
    reading.cellar = decodeString(bytes, start, stringEnd, facts.escaped);
    const decoded = Buffer.from(reading.cellar);
    length = skipCellarName(decoded, 0, decoded.length) === decoded.length ? decoded.length : 0;
    quote = stringEnd - 1;
  }
  if (length < 1 || length > CELLAR_MAX_LENGTH) {
    const rule = '1 to 64 letters, digits, dots, underscores or hyphens, the first a letter or digit';
    return refuse(draft, start, `"cellar" must be ${rule}`);
  }
  reading.cellarStart = start;
  reading.cellarEnd = quote + 1;
  return quote + 1;
}

/** Reads a rack or a keg: 1 to 256 code points, any text without control characters. */
export function scanName(field: number, bytes: Buffer, start: number, end: number, draft: Draft): number {
  const { facts, reading } = draft;
  if (byteAt(bytes, start, end) !== QUOTE)
    return refuse(draft, start, `"${fieldName(field)}" must be a string`);
  const quote = skipPlainText(bytes, start + 1, end);
  let stringEnd = quote + 1;
  let codePoints = quote - start - 1;
  const plain = byteAt(bytes, quote, end) === QUOTE;
  if (!plain) {
    stringEnd = scanString(bytes, start, end, facts);
    if (isFault(stringEnd)) return stringEnd;
    codePoints = facts.codePoints;
    if (facts.control)
      return refuse(draft, start, `"${fieldName(field)}" must not contain control characters`);
    if (facts.loneSurrogate) {
      return refuse(draft, start, `"${fieldName(field)}" contains half of a surrogate pair`);
    }
  }
  if (codePoints < 1 || codePoints > NAME_MAX_CODE_POINTS) {
    return refuse(draft, start, `"${fieldName(field)}" must have 1 to ${NAME_MAX_CODE_POINTS} characters`);
  }

  // Nobody needs the keg as text, so it is not decoded.
  if (field === RACK) {
    if (!plain) reading.rack = decodeString(bytes, start, stringEnd, facts.escaped);
    reading.rackStart = start;
    reading.rackEnd = stringEnd;
  } else {
    reading.kegStart = start;
    reading.kegEnd = stringEnd;
  }
  return stringEnd;
}

/** Makes text of the cellar and the rack that needed no decoding so far: what is printable ASCII is also latin1. */
export function decodePlainText(bytes: Buffer, reading: ScannedReading): void {
  const { cellarStart, cellarEnd, rackStart, rackEnd } = reading;
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

/** Answers where the name ends that begins at `start`, or `start` if none does. */
function skipCellarName(bytes: Buffer, start: number, end: number): number {
  let position = start;
  while (position < end) {
    const byte = bytes[position] as number;
    const lower = byte | 0x20;
    const alphanumeric = (lower >= 0x61 && lower <= 0x7a) || (byte >= ZERO && byte <= NINE);
    const inner = byte === 0x2d || byte === 0x2e || byte === 0x5f;
    if (!alphanumeric && !(inner && position > start)) break;
    position++;
  }
  return position;
}
