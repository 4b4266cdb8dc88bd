import { DOT, isDigit, MINUS, ZERO } from '@cellarman/reading/json-bytes';
import { EXACT_DIGITS } from '@cellarman/reading';
import { writeBytes } from './scan-token.ts';

/** Longer than any number that a sender writes for a double. */
export const MAX_NUMBER_BYTES = 1_024;

const SIGNED = 0x69;
const UNSIGNED = 0x75;

/**
 * Writes a number of line protocol as one of JSON with the same digits: `1.5`, `.5`, `007`, `12i`, `12u`. Whether a double
 * can hold it is checked later, by the rules of every reading.
 *
 * @returns the position behind it, or -1 when it is none
 */
export function writeNumber(target: Buffer, at: number, bytes: Buffer, start: number, end: number): number {
  let position = start;
  let written = at;
  const isNegative = bytes[position] === MINUS;
  if (isNegative) target[written++] = bytes[position++] as number;

  const integerEnd = digitsEnd(bytes, position, end);
  let digits = position;
  // JSON allows neither leading zeros nor a missing integer part.
  while (digits < integerEnd - 1 && bytes[digits] === ZERO) digits++;
  if (digits === integerEnd) target[written++] = ZERO;
  written = writeBytes(target, written, bytes, digits, integerEnd);

  const hasPoint = integerEnd < end && bytes[integerEnd] === DOT;
  const fractionEnd = hasPoint ? digitsEnd(bytes, integerEnd + 1, end) : integerEnd;
  const hasFraction = fractionEnd > integerEnd + 1;
  if (integerEnd === position && !hasFraction) return -1;
  if (hasFraction) written = writeBytes(target, written, bytes, integerEnd, fractionEnd);

  const exponentEnd = scanExponent(bytes, fractionEnd, end);
  if (exponentEnd < 0) return -1;
  written = writeBytes(target, written, bytes, fractionEnd, exponentEnd);
  const isFloat = hasPoint || exponentEnd > fractionEnd;
  if (exponentEnd === end) {
    // A reading without fraction is an integer and must be exact. Here it is a float, however it is written.
    if (isFloat || integerEnd - digits <= EXACT_DIGITS) return written;
    return written + target.write('.0', written, 'latin1');
  }
  const suffix = bytes[exponentEnd];
  const isInteger = !isFloat && (suffix === SIGNED || (suffix === UNSIGNED && !isNegative));
  return isInteger && exponentEnd + 1 === end ? written : -1;
}

function digitsEnd(bytes: Buffer, start: number, end: number): number {
  let position = start;
  while (position < end && isDigit(bytes[position])) position++;
  return position;
}

/** Returns `start` where there is none, and -1 where it has no digits. */
function scanExponent(bytes: Buffer, start: number, end: number): number {
  if (start >= end || ((bytes[start] as number) | 0x20) !== 0x65) return start;
  const sign = bytes[start + 1];
  const first = sign === 0x2b || sign === MINUS ? start + 2 : start + 1;
  const last = digitsEnd(bytes, first, end);
  return last === first ? -1 : last;
}
