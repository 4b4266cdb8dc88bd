import { ApiError } from '@cellarman/http-api';
import { Type } from '@sinclair/typebox';
import { givenInstantSchema, toClickHouse } from './instant.ts';

/** From when to when readings were measured, both optional. */
export const rangeQuery = {
  from: Type.Optional(givenInstantSchema('Readings with this timestamp or a later one.')),
  to: Type.Optional(givenInstantSchema('Readings with an earlier timestamp.')),
};

export interface TimeRange {
  /** As parameters of ClickHouse, see `toClickHouse`. */
  from?: string;
  to?: string;
}

/** @throws {ApiError} when one is no time, or they stand the wrong way round */
export function toTimeRange(given: { from?: string; to?: string }): TimeRange {
  const from = given.from === undefined ? undefined : toClickHouse('from', given.from);
  const to = given.to === undefined ? undefined : toClickHouse('to', given.to);
  if (from !== undefined && to !== undefined && from >= to) {
    throw new ApiError('invalid_request', 'from must be before to');
  }
  return { ...(from !== undefined && { from }), ...(to !== undefined && { to }) };
}

/** Conditions on the column `timestamp`, for behind an AND. */
export function withinRange({ from, to }: TimeRange): string {
  return [
    ...(from === undefined ? [] : [`timestamp >= {from: DateTime64(9, 'UTC')}`]),
    ...(to === undefined ? [] : [`timestamp < {to: DateTime64(9, 'UTC')}`]),
    '1',
  ].join(' AND ');
}
