import { BACKSLASH, DELETE, QUOTE, SPACE } from '@cellarman/reading/json-bytes';
import { escapedCodeUnit, escapeLength, isHighSurrogate, isLowSurrogate } from './scan-escape.ts';
import { errorAt } from './scan-position.ts';
import { utf8SequenceLength } from './scan-utf8.ts';

/** What a scan found in a string. One object serves all strings of a reading. */
export interface ScannedString {
  codePoints: number;
  escaped: boolean;
  /** U+0000–001F or U+007F, raw or by escape. */
  control: boolean;
  /** An escape `\ud800`–`\udfff` without its other half: JSON allows it, but it is no text. */
  loneSurrogate: boolean;
}

export function createScannedString(): ScannedString {
  return { codePoints: 0, escaped: false, control: false, loneSurrogate: false };
}

/**
 * Passes over printable ASCII from `start`, and returns where it stops. If that is a quote, each byte before it is one
 * character, and the string needs no other check.
 */
export function skipPlainText(bytes: Buffer, start: number, end: number): number {
  let position = start;
  while (position < end) {
    const byte = bytes[position] as number;
    if (byte === QUOTE || byte < SPACE || byte === BACKSLASH || byte >= DELETE) break;
    position++;
  }
  return position;
}

/** Scans the string whose opening quote is at `start`. Returns the position behind the closing quote, or an error. */
export function scanString(bytes: Buffer, start: number, end: number, string: ScannedString): number {
  let position = skipPlainText(bytes, start + 1, end);
  let codePoints = position - start - 1;
  string.escaped = false;
  string.control = false;
  string.loneSurrogate = false;
  while (position < end) {
    const byte = bytes[position] as number;
    if (byte === QUOTE) {
      string.codePoints = codePoints;
      return position + 1;
    }
    if (byte < SPACE) return errorAt(position);
    if (byte === BACKSLASH) {
      const length = scanEscape(bytes, position, end, string);
      if (length === 0) return errorAt(position);
      position += length;
    } else if (byte < 0x80) {
      if (byte === DELETE) string.control = true;
      position++;
    } else {
      const length = utf8SequenceLength(bytes, position, end);
      if (length === 0) return errorAt(position);
      position += length;
    }
    codePoints++;
  }
  return errorAt(end);
}

/** The length of the escape, or of the two that make one code point; 0 if it is none. */
function scanEscape(bytes: Buffer, position: number, end: number, string: ScannedString): number {
  const codeUnit = escapedCodeUnit(bytes, position, end);
  if (codeUnit < 0) return 0;
  string.escaped = true;
  if (codeUnit < SPACE || codeUnit === DELETE) string.control = true;

  if (isHighSurrogate(codeUnit)) {
    const next = position + 6;
    const paired =
      next < end && bytes[next] === BACKSLASH && isLowSurrogate(escapedCodeUnit(bytes, next, end));
    if (paired) return 12;
    string.loneSurrogate = true;
  } else if (isLowSurrogate(codeUnit)) {
    string.loneSurrogate = true;
  }
  return escapeLength(bytes, position);
}

/** The text of a string that was scanned, `start` and `end` being outside its quotes. */
export function decodeString(bytes: Buffer, start: number, end: number, escaped: boolean): string {
  return escaped
    ? (JSON.parse(bytes.toString('utf8', start, end)) as string)
    : bytes.toString('utf8', start + 1, end - 1);
}
