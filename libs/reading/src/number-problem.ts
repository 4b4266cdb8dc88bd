/** Every integer of this many digits is exact in a double. */
export const EXACT_DIGITS = 15;

/**
 * Why a double would alter the number literal, or undefined. An integer literal, one without fraction and exponent, is how
 * counters are written, and must be held exactly; all others are written for doubles and stand for the nearest one (`1e30`
 * and `9007199254740993.0` too), but must not become infinite or zero.
 */
export function numberProblem(literal: string): string | undefined {
  const double = Number(literal);
  if (!Number.isFinite(double)) return 'is too large for a 64-bit floating point number';
  if (double === 0) {
    const [mantissa = ''] = literal.split(/e/i);
    if (!/[1-9]/.test(mantissa)) return undefined;
    return 'is too small for a 64-bit floating point number and would become zero';
  }
  const mayBeInexact = Math.abs(double) > Number.MAX_SAFE_INTEGER && /^-?\d+$/.test(literal);
  return mayBeInexact && BigInt(literal) !== BigInt(double)
    ? 'is an integer that a 64-bit floating point number cannot hold exactly'
    : undefined;
}
