import { ZERO, NINE } from './json-bytes.ts';

/** Any integer of so many digits is exact in a double. */
const EXACT_DIGITS = 15;

/** So many characters without an exponent neither reach 1.8e308 nor fall below 5e-324. */
const FINITE_LENGTH = 300;

/**
 * Why a double would not tell the truth about the number literal, or undefined. An integer literal, one without
 * fraction and exponent, is how counters are written, and must be held exactly; all others are written for doubles
 * and mean the nearest one (`1e30` and `9007199254740993.0` too), but must not become infinite or zero.
 */
export function numberProblem(
  bytes: Buffer,
  start: number,
  integerEnd: number,
  fractionEnd: number,
  end: number,
): string | undefined {
  if (fractionEnd === end) {
    const safeLength = integerEnd === end ? EXACT_DIGITS : FINITE_LENGTH;
    if (end - start <= safeLength) return undefined;
  }

  const literal = bytes.toString('latin1', start, end);
  const double = Number(literal);
  if (!Number.isFinite(double)) return 'is too large for a 64-bit floating point number';
  if (integerEnd === end && BigInt(literal) !== BigInt(double)) {
    return 'is an integer that a 64-bit floating point number cannot hold exactly';
  }
  if (double === 0 && hasNonZeroDigit(bytes, start, fractionEnd)) {
    return 'is too small for a 64-bit floating point number and would become zero';
  }
  return undefined;
}

function hasNonZeroDigit(bytes: Buffer, start: number, end: number): boolean {
  for (let position = start; position < end; position++) {
    const byte = bytes[position] as number;
    if (byte > ZERO && byte <= NINE) return true;
  }
  return false;
}
