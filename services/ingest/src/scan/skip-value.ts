import { CLOSE_BRACE, COLON, COMMA, OPEN_BRACE, OPEN_BRACKET, QUOTE } from '@cellarman/reading/json-bytes';
import { scanNumber } from './scan-number.ts';
import { byteAt, END, errorAt, isError, skipWhitespace } from './scan-position.ts';
import { createScannedString, scanString } from './scan-string.ts';

const LITERALS = ['true', 'false', 'null'].map((literal) => Buffer.from(literal));

/** Where in the outermost object the scan is. `skipValue` updates it, so that an error can name the key. */
export interface MemberPosition {
  /** Where the quotes of the key stand whose value is being read; -1 between members. */
  keyStart: number;
  keyEnd: number;
}

/**
 * Reads one JSON value of any kind, from its first byte. Returns the position behind it, or the error.
 * It keeps its own stack: a deep nest costs memory in proportion to the body, and no call stack.
 */
export function skipValue(bytes: Buffer, start: number, end: number, member: MemberPosition): number {
  const closers: number[] = [];
  const string = createScannedString();

  const skipKey = (keyStart: number): number => {
    if (closers.length === 1) member.keyStart = -1;
    if (byteAt(bytes, keyStart, end) !== QUOTE) return errorAt(keyStart);
    const keyEnd = scanString(bytes, keyStart, end, string);
    if (isError(keyEnd)) return keyEnd;
    const colon = skipWhitespace(bytes, keyEnd, end);
    if (byteAt(bytes, colon, end) !== COLON) return errorAt(colon);
    if (closers.length === 1) {
      member.keyStart = keyStart;
      member.keyEnd = keyEnd;
    }
    return skipWhitespace(bytes, colon + 1, end);
  };

  let position = start;
  for (;;) {
    const first = byteAt(bytes, position, end);
    if (first === OPEN_BRACE || first === OPEN_BRACKET) {
      // Both closing brackets stand two places behind the opening one.
      const closer = first + 2;
      position = skipWhitespace(bytes, position + 1, end);
      if (byteAt(bytes, position, end) !== closer) {
        closers.push(closer);
        if (first === OPEN_BRACE) position = skipKey(position);
        if (isError(position)) return position;
        continue;
      }
      position++;
    } else {
      position =
        first === QUOTE ? scanString(bytes, position, end, string) : skipScalar(bytes, position, end);
      if (isError(position)) return position;
    }

    for (;;) {
      const closer = closers.at(-1);
      if (closer === undefined) return position;
      position = skipWhitespace(bytes, position, end);
      const byte = byteAt(bytes, position, end);
      if (byte === COMMA) {
        position = skipWhitespace(bytes, position + 1, end);
        if (closer === CLOSE_BRACE) position = skipKey(position);
        if (isError(position)) return position;
        break;
      }
      if (byte !== closer) return errorAt(position);
      closers.pop();
      position++;
    }
  }
}

function skipScalar(bytes: Buffer, start: number, end: number): number {
  const first = byteAt(bytes, start, end);
  if (first === END) return errorAt(start);
  const literal = LITERALS.find((candidate) => candidate[0] === first);
  if (literal === undefined) return scanNumber(bytes, start, end);
  for (let index = 1; index < literal.length; index++) {
    if (byteAt(bytes, start + index, end) !== literal[index]) return errorAt(start + index);
  }
  return start + literal.length;
}
