import { DOT, MINUS, NINE, ZERO } from '@cellarman/reading/json-bytes';
import { byteAt, errorAt, isError } from './scan-position.ts';

/** Scans a number by the grammar of JSON. Returns the position behind it, or an error. */
export function scanNumber(bytes: Buffer, start: number, end: number): number {
  const integerEnd = scanInteger(bytes, start, end);
  if (isError(integerEnd)) return integerEnd;
  const fractionEnd = scanFraction(bytes, integerEnd, end);
  return isError(fractionEnd) ? fractionEnd : scanExponent(bytes, fractionEnd, end);
}

export function scanInteger(bytes: Buffer, start: number, end: number): number {
  const first = byteAt(bytes, start, end) === MINUS ? start + 1 : start;
  // A leading zero stands alone: what follows it is for the caller to reject.
  if (byteAt(bytes, first, end) === ZERO) return first + 1;
  return scanDigits(bytes, first, end);
}

/** Returns `start` itself where there is no fraction. */
export function scanFraction(bytes: Buffer, start: number, end: number): number {
  return byteAt(bytes, start, end) === DOT ? scanDigits(bytes, start + 1, end) : start;
}

/** Returns `start` itself where there is no exponent. */
export function scanExponent(bytes: Buffer, start: number, end: number): number {
  if ((byteAt(bytes, start, end) | 0x20) !== 0x65) return start;
  const sign = byteAt(bytes, start + 1, end);
  return scanDigits(bytes, sign === 0x2b || sign === MINUS ? start + 2 : start + 1, end);
}

/** At least one digit. */
function scanDigits(bytes: Buffer, start: number, end: number): number {
  let position = start;
  while (position < end) {
    const byte = bytes[position] as number;
    if (byte < ZERO || byte > NINE) break;
    position++;
  }
  return position === start ? errorAt(start) : position;
}
