import { DOT, isDigit, ZERO } from './json-bytes.ts';

/**
 * The years that ClickHouse keeps as they are. Before 1900 DateTime64 is not defined. The table's TTL counts in 32 bits
 * of seconds, until February 2106: a later timestamp plus the longest retention (10 years) would wrap around, and the
 * reading would be removed immediately (measured with 26.7).
 */
export const YEARS = { first: 1900, last: 2095 } as const;

const MS_PER_DAY = 86_400_000;
const DAYS_FROM_MARCH_OF_YEAR_MINUS_400_TO_1970 = 719_468 + 146_097;
/** Before the year 0000. */
const NO_DATE = -1_000_000;
const FIRST_STORABLE_DAY = daysSinceEpoch(YEARS.first, 1, 1);
const LAST_STORABLE_DAY = daysSinceEpoch(YEARS.last, 12, 31);

/** Lengths of `YYYY-MM-DDT` and `YYYY-MM-DDThh:mm:ss`. */
const DATE_LENGTH = 11;
const SECONDS_LENGTH = 19;

/*
 * A timestamp is `YYYY-MM-DDThh:mm:ss[.fraction]Z`: a date of the calendar, no other offset, no leap second, up to nine digits.
 * ClickHouse would turn 23:59:60 and 24:00:00 into the next day, and would cut a tenth digit. It reads no escapes inside of a
 * time, so there must be none here either.
 */

/**
 * Milliseconds since 1970 of the timestamp that begins at `at`, rounded down; NaN when it is none. Its end is known already, by
 * `fractionEnd`.
 */
export function timestampMs(bytes: Uint8Array, at: number): number {
  const day = dayAt(bytes, at);
  const second = secondOfDay(bytes, at + DATE_LENGTH);
  if (day === NO_DATE || second < 0) return NaN;
  return day * MS_PER_DAY + second * 1_000 + fractionMs(bytes, at + SECONDS_LENGTH);
}

/** Returns where the timestamp that begins at `at` ends (behind its `Z`), or -1 when it is none that can be stored. */
export function storableEnd(
  bytes: Uint8Array,
  at: number,
  minFractionDigits: number,
  maxFractionDigits: number,
): number {
  const end = fractionEnd(bytes, at, bytes.length, minFractionDigits, maxFractionDigits);
  const day = dayAt(bytes, at);
  const isStorable = day >= FIRST_STORABLE_DAY && day <= LAST_STORABLE_DAY;
  return isStorable && secondOfDay(bytes, at + DATE_LENGTH) >= 0 ? end : -1;
}

/** Where `[.fraction]Z` ends of the timestamp that begins at `at`, or -1. */
export function fractionEnd(
  bytes: Uint8Array,
  at: number,
  end: number,
  minDigits: number,
  maxDigits: number,
): number {
  let position = at + SECONDS_LENGTH;
  let digits = 0;
  if (position < end && bytes[position] === DOT) {
    const first = ++position;
    while (position < end && isDigit(bytes[position])) position++;
    digits = position - first;
    if (digits === 0) return -1;
  }
  if (digits < minDigits || digits > maxDigits) return -1;
  return position < end && bytes[position] === 0x5a ? position + 1 : -1; // Z
}

function fractionMs(bytes: Uint8Array, at: number): number {
  let ms = 0;
  if (bytes[at] !== DOT) return ms;
  let position = at + 1;
  for (let weight = 100; weight > 0 && isDigit(bytes[position]); weight = (weight / 10) | 0) {
    ms += ((bytes[position++] as number) - ZERO) * weight;
  }
  return ms;
}

/** Days since 1970 of the `YYYY-MM-DDT` at `at`. */
function dayAt(bytes: Uint8Array, at: number): number {
  const punctuated = bytes[at + 4] === 0x2d && bytes[at + 7] === 0x2d && bytes[at + 10] === 0x54; // - - T
  const century = twoDigits(bytes, at);
  const yearOfCentury = twoDigits(bytes, at + 2);
  const month = twoDigits(bytes, at + 5);
  const day = twoDigits(bytes, at + 8);
  if (!punctuated || century < 0 || yearOfCentury < 0) return NO_DATE;
  const year = century * 100 + yearOfCentury;
  if (month < 1 || month > 12 || day < 1 || day > daysInMonth(year, month)) return NO_DATE;
  return daysSinceEpoch(year, month, day);
}

/** Of the `hh:mm:ss` at `at`; -1 when it is no time. */
function secondOfDay(bytes: Uint8Array, at: number): number {
  const hour = twoDigits(bytes, at);
  const minute = twoDigits(bytes, at + 3);
  const second = twoDigits(bytes, at + 6);
  if (bytes[at + 2] !== 0x3a || bytes[at + 5] !== 0x3a) return -1; // : :
  if (hour < 0 || hour > 23 || minute < 0 || minute > 59 || second < 0 || second > 59) return -1;
  return (hour * 60 + minute) * 60 + second;
}

/** -1 when one of the two is no digit. */
function twoDigits(bytes: Uint8Array, at: number): number {
  const tens = (bytes[at] as number) - ZERO;
  const ones = (bytes[at + 1] as number) - ZERO;
  return tens >= 0 && tens <= 9 && ones >= 0 && ones <= 9 ? tens * 10 + ones : -1;
}

function daysInMonth(year: number, month: number): number {
  if (month === 2) return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28;
  return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31;
}

/**
 * Howard Hinnant's days_from_civil: years begin in March, so that the leap day is the last of its year. The years are
 * moved by one cycle of 400, so that none is negative and integers can be divided by truncation.
 */
function daysSinceEpoch(year: number, month: number, day: number): number {
  const marchYear = (month <= 2 ? year - 1 : year) + 400;
  const leapDays = ((marchYear / 4) | 0) - ((marchYear / 100) | 0) + ((marchYear / 400) | 0);
  const dayOfYear = (((153 * (month > 2 ? month - 3 : month + 9) + 2) / 5) | 0) + day - 1;
  return marchYear * 365 + leapDays + dayOfYear - DAYS_FROM_MARCH_OF_YEAR_MINUS_400_TO_1970;
}
