import { ApiError } from '@cellarman/http-api';
import { TIMESTAMP_PATTERN } from '@cellarman/reading';
import { Type } from '@sinclair/typebox';

/** A point in time in a response: RFC 3339 in UTC, with as many digits as are known. */
export const instantSchema = Type.String({ format: 'date-time', examples: ['2026-11-21T06:30:00.000Z'] });
export const optionalInstantSchema = Type.Union([instantSchema, Type.Null()]);

/** A point in time in a query string, with up to nine fractional digits. */
export const givenInstantSchema = (description: string) =>
  Type.String({ pattern: TIMESTAMP_PATTERN, description, examples: ['2026-11-21T06:30:00Z'] });

/** Readings have none outside of these. */
const FIRST_YEAR = '1900';
const LAST_YEAR = '2099';

/**
 * As a parameter of the type `DateTime64(9, 'UTC')`, always with nine digits, so that texts compare as times do:
 * `2026-11-21 06:30:00.000000000`.
 *
 * @param name of the field, for the message
 * @throws {ApiError} when there is no such time
 */
export function toClickHouse(name: string, instant: string): string {
  const year = instant.slice(0, 4);
  if (!isReal(instant) || year < FIRST_YEAR || year > LAST_YEAR) {
    throw new ApiError(
      'invalid_request',
      `${name} must be a valid time between the years ${FIRST_YEAR} and ${LAST_YEAR}`,
    );
  }
  return `${instant.slice(0, 10)} ${instant.slice(11, 19)}.${fractionOf(instant).padEnd(9, '0')}`;
}

/** Milliseconds since 1970; what is finer is cut off. */
export function toMilliseconds(name: string, instant: string): number {
  return Number(toNanoseconds(name, instant) / 1_000_000n);
}

/** Nanoseconds since 1970. */
export function toNanoseconds(name: string, instant: string): bigint {
  toClickHouse(name, instant);
  const seconds = BigInt(Date.parse(`${instant.slice(0, 19)}Z`) / 1_000);
  return seconds * 1_000_000_000n + BigInt(fractionOf(instant).padEnd(9, '0'));
}

function fractionOf(instant: string): string {
  return instant.slice(20, -1);
}

/** Date takes the 30th of February for the 2nd of March. */
function isReal(instant: string): boolean {
  const date = new Date(`${instant.slice(0, 19)}Z`);
  return !Number.isNaN(date.getTime()) && date.toISOString().slice(0, 19) === instant.slice(0, 19);
}
