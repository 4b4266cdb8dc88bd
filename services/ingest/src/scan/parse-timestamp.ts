import { QUOTE, ZERO, byteAt } from './json-bytes.ts';

const MS_PER_DAY = 86_400_000;
const DAYS_FROM_MARCH_OF_YEAR_MINUS_400_TO_1970 = 719_468 + 146_097;
const NOT_A_NUMBER = -1;

/** Where the parts of `YYYY-MM-DDThh:mm:ss` stand. */
const SECONDS_END = 19;
const MAX_FRACTION_DIGITS = 9;

/**
 * Reads the string whose opening quote is at `start` as `YYYY-MM-DDThh:mm:ss[.fraction]Z`: a date of the calendar, no
 * other offset, no leap second, 1 to 9 fraction digits. Answers the milliseconds since 1970, rounded down, or NaN.
 *
 * The text goes on as it was sent, and ClickHouse reads no escapes inside a time: so there must be none here either.
 */
export function parseTimestamp(bytes: Buffer, start: number, end: number): number {
  const text = start + 1;
  if (end - text < SECONDS_END + 2) return NaN;
  const punctuated =
    bytes[text + 4] === 0x2d && // -
    bytes[text + 7] === 0x2d &&
    bytes[text + 10] === 0x54 && // T
    bytes[text + 13] === 0x3a && // :
    bytes[text + 16] === 0x3a;
  if (!punctuated) return NaN;

  const century = twoDigits(bytes, text);
  const yearOfCentury = twoDigits(bytes, text + 2);
  const month = twoDigits(bytes, text + 5);
  const day = twoDigits(bytes, text + 8);
  const hour = twoDigits(bytes, text + 11);
  const minute = twoDigits(bytes, text + 14);
  const second = twoDigits(bytes, text + 17);
  if (century < 0 || yearOfCentury < 0) return NaN;
  const year = century * 100 + yearOfCentury;
  if (month < 1 || month > 12 || day < 1 || day > daysInMonth(year, month)) return NaN;
  if (hour < 0 || hour > 23 || minute < 0 || minute > 59 || second < 0 || second > 59) return NaN;

  const ms = fractionMs(bytes, text + SECONDS_END, end);
  if (ms < 0) return NaN;
  return daysSinceEpoch(year, month, day) * MS_PER_DAY + ((hour * 60 + minute) * 60 + second) * 1000 + ms;
}

/** Where the string ends that `parseTimestamp` has read. */
export function timestampEnd(bytes: Buffer, start: number): number {
  let position = start + SECONDS_END + 2;
  while (bytes[position] !== QUOTE) position++;
  return position + 1;
}

/** Reads `[.fraction]Z"`. Whole milliseconds, or -1. */
function fractionMs(bytes: Buffer, start: number, end: number): number {
  let position = start;
  let ms = 0;
  if (bytes[position] === 0x2e) {
    position++;
    const first = position;
    let weight = 100;
    for (;;) {
      const digit = byteAt(bytes, position, end) - ZERO;
      if (digit < 0 || digit > 9) break;
      ms += digit * weight;
      weight = (weight / 10) | 0;
      position++;
    }
    const digits = position - first;
    if (digits < 1 || digits > MAX_FRACTION_DIGITS) return NOT_A_NUMBER;
  }
  const closed = byteAt(bytes, position, end) === 0x5a && byteAt(bytes, position + 1, end) === QUOTE;
  return closed ? ms : NOT_A_NUMBER;
}

function twoDigits(bytes: Buffer, position: number): number {
  const tens = (bytes[position] as number) - ZERO;
  const ones = (bytes[position + 1] as number) - ZERO;
  return tens >= 0 && tens <= 9 && ones >= 0 && ones <= 9 ? tens * 10 + ones : NOT_A_NUMBER;
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
