import { shorten } from './shorten.ts';

/**
 * ClickHouse reads up to 316 characters of a number at a time. When it does not parse in parallel, a longer one that stands
 * across the end of a buffer is an error to it: measured with 26.7 and `max_parsing_threads=1`.
 */
const MAX_LITERAL_LENGTH = 300;

/**
 * Decides whether a JSON number can be stored as a double without a silent change: it must not overflow, not become zero,
 * and an integer beyond ±2^53 must be one that a double can hold. The same rules hold at the door, in ingest.
 *
 * @returns the literal as it is, or the shortest that means the same double when it is too long for ClickHouse
 */
export function describeNumber(literal: string): { json: string } | { reason: string } {
  const value = Number(literal);
  if (!Number.isFinite(value)) return { reason: `${shorten(literal)} is larger than a double can be` };
  if (value === 0) {
    const [mantissa = ''] = literal.split(/e/i);
    if (/[1-9]/.test(mantissa)) return { reason: `${shorten(literal)} is too small, it would become 0` };
    // One zero: ClickHouse keeps the sign, and the two would look different in reports.
    return { json: fitting(literal.startsWith('-') ? literal.slice(1) : literal) };
  }
  if (/^-?\d+$/.test(literal) && !Number.isSafeInteger(value) && BigInt(literal) !== BigInt(value)) {
    return { reason: `${shorten(literal)} is an integer that a double cannot hold` };
  }
  return { json: fitting(literal) };
}

function fitting(literal: string): string {
  return literal.length > MAX_LITERAL_LENGTH ? JSON.stringify(Number(literal)) : literal;
}
