import { hash } from 'node:crypto';
import type { IdentityField, Reading } from '@cellarman/reading';

/**
 * The fields that identify a reading, in one form for HTTP, the topic and ClickHouse. The timestamp is
 * `YYYY-MM-DDThh:mm:ss[.fraction]Z`, or ClickHouse's text with a space and without the Z.
 */
export type ReadingFields = Pick<Reading, IdentityField>;

/** The digest that {@link identityOf} is the beginning of, as ClickHouse computes it from the columns of a reading. */
export const IDENTITY_SQL =
  "SHA256(concat(cellar, '\\0', rack, '\\0', keg, '\\0', toString(timestamp), '\\0', toString(reinterpretAsUInt64(value + 0.0))))";

/**
 * 128 bits of SHA-256 over the five fields: two readings of ten billion share one with a chance below 10^-18.
 *
 * Values are compared as doubles, bit by bit, but -0 is 0, as in the table.
 */
export function identityOf(reading: ReadingFields): Buffer {
  double[0] = reading.value + 0;
  return digest(`${placeOf(reading)}\0${String(bits[0])}`);
}

/** The same without the value: finds the reading again whose value was changed. */
export function seriesPointIdentityOf(reading: ReadingFields): Buffer {
  return digest(placeOf(reading));
}

const double = new Float64Array(1);
const bits = new BigUint64Array(double.buffer);

/** Texts cannot hold U+0000, so that it separates them without doubt. */
function placeOf({ cellar, rack, keg, timestamp }: ReadingFields): string {
  return `${cellar}\0${rack}\0${keg}\0${withNanoseconds(timestamp)}`;
}

/** `2026-11-21 06:30:00.500000000`: the text that ClickHouse gives for a DateTime64(9). */
export function withNanoseconds(timestamp: string): string {
  const text = timestamp.endsWith('Z') ? timestamp.slice(0, -1) : timestamp;
  const [seconds = '', fraction = ''] = text.split('.');
  return `${seconds.replace('T', ' ')}.${fraction.padEnd(9, '0')}`;
}

function digest(text: string): Buffer {
  return hash('sha256', text, 'buffer').subarray(0, 16);
}
