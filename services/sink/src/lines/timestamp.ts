import { DOT, isDigit, ZERO } from './json-bytes.ts';

/**
 * The years that ClickHouse keeps as they are. Before 1900 DateTime64 is not defined. The table's TTL counts in 32 bits
 * of seconds, until February 2106: a later timestamp plus the longest retention (10 years) would wrap around, and the
 * reading would be removed at once (measured with 26.7).
 */
export const YEARS = { first: 1900, last: 2095 } as const;

const DAYS_IN_MONTH = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

/** Length of `YYYY-MM-DDThh:mm:ss`. */
const SECONDS_END = 19;

/**
 * Where the timestamp that begins at `at` ends (behind its `Z`), or -1.
 *
 * It must be `YYYY-MM-DDThh:mm:ss[.fraction]Z`, a date that exists in a year that can be stored, and no leap second:
 * ClickHouse would turn 23:59:60 and 24:00:00 into the next day, and would cut a tenth digit of the fraction.
 */
export function timestampEnd(
  bytes: Uint8Array,
  at: number,
  minFraction: number,
  maxFraction: number,
): number {
  if (at < 0 || !isWholeSecond(bytes, at)) return -1;
  let end = at + SECONDS_END;
  let digits = 0;
  if (bytes[end] === DOT) {
    const first = ++end;
    while (isDigit(bytes[end])) end++;
    digits = end - first;
    if (digits === 0) return -1;
  }
  if (digits < minFraction || digits > maxFraction || bytes[end] !== 0x5a) return -1; // Z
  return end + 1;
}

function isWholeSecond(bytes: Uint8Array, at: number): boolean {
  const year = twoDigits(bytes, at) * 100 + twoDigits(bytes, at + 2);
  const day = twoDigits(bytes, at + 8);
  return (
    bytes[at + 4] === 0x2d && // -
    bytes[at + 7] === 0x2d &&
    bytes[at + 10] === 0x54 && // T
    bytes[at + 13] === 0x3a && // :
    bytes[at + 16] === 0x3a &&
    year >= YEARS.first &&
    year <= YEARS.last &&
    day >= 1 &&
    day <= daysInMonth(year, twoDigits(bytes, at + 5)) &&
    isWithin(twoDigits(bytes, at + 11), 23) &&
    isWithin(twoDigits(bytes, at + 14), 59) &&
    isWithin(twoDigits(bytes, at + 17), 59)
  );
}

/** Far below zero when one of the two is no digit, so that every comparison that follows fails. */
function twoDigits(bytes: Uint8Array, at: number): number {
  const tens = bytes[at];
  const ones = bytes[at + 1];
  if (tens === undefined || ones === undefined || !isDigit(tens) || !isDigit(ones)) return -1_000_000;
  return (tens - ZERO) * 10 + ones - ZERO;
}

function isWithin(number: number, last: number): boolean {
  return number >= 0 && number <= last;
}

/** 0 for a month that does not exist. */
function daysInMonth(year: number, month: number): number {
  const isLeap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
  return month === 2 && isLeap ? 29 : (DAYS_IN_MONTH[month - 1] ?? 0);
}
