import { shorten } from './shorten.ts';

/**
 * Decides whether a JSON number can be stored as a double without a silent change: it must not overflow, not become zero,
 * and an integer beyond ±2^53 must be one that a double can hold. The same rules hold at the door, in ingest.
 */
export function describeNumber(literal: string): { json: string } | { reason: string } {
  const value = Number(literal);
  if (!Number.isFinite(value)) return { reason: `${shorten(literal)} is larger than a double can be` };
  if (value === 0) {
    const [mantissa = ''] = literal.split(/e/i);
    if (/[1-9]/.test(mantissa)) return { reason: `${shorten(literal)} is too small, it would become 0` };
    // One zero: ClickHouse keeps the sign, and the two would look different in reports.
    return { json: literal.startsWith('-') ? literal.slice(1) : literal };
  }
  if (/^-?\d+$/.test(literal) && !Number.isSafeInteger(value) && BigInt(literal) !== BigInt(value)) {
    return { reason: `${shorten(literal)} is an integer that a double cannot hold` };
  }
  return { json: literal };
}
