/** The fraction digits of a timestamp in each precision of the InfluxDB API; `n` and `u` are those of version 1. */
export const PRECISIONS: ReadonlyMap<string, number> = new Map([
  ['ns', 9],
  ['n', 9],
  ['us', 6],
  ['u', 6],
  ['ms', 3],
  ['s', 0],
]);

/** The last second of the year 9999. */
const MAX_SECONDS = 253_402_300_799;
const DIGITS = /^\d{1,19}$/;

/**
 * Writes an integer since 1970 as the timestamp of a reading, without trailing zeros: a point has the same text in every
 * precision. Returns undefined when it is none.
 */
export function toTimestamp(integer: string, fractionDigits: number): string | undefined {
  if (!DIGITS.test(integer)) return undefined;
  const padded = integer.padStart(fractionDigits + 1, '0');
  const point = padded.length - fractionDigits;
  const seconds = Number(padded.slice(0, point));
  if (seconds > MAX_SECONDS) return undefined;
  const fraction = padded.slice(point).replace(/0+$/, '');
  const time = new Date(seconds * 1_000).toISOString().slice(0, 19);
  return fraction === '' ? `${time}Z` : `${time}.${fraction}Z`;
}
