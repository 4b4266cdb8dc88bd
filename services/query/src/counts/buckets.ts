import { ApiError } from '@cellarman/http-api';
import { Type } from '@sinclair/typebox';
import type { Static } from '@sinclair/typebox';
import { givenInstantSchema, instantSchema, toMilliseconds } from '../time/instant.ts';

const STEPS = [60, 300, 900, 3_600, 10_800, 21_600, 86_400] as const;
/** A week in steps of five minutes has 2,016. */
const MAX_BUCKETS = 2_500;
const HOUR_MS = 3_600_000;
/** From the receipt of a reading until it can be queried: usually less than a second. */
const ARRIVAL_MS = 10_000;

/** The query parameters of routes that count readings by time. */
export const bucketRange = {
  from: Type.Optional(
    givenInstantSchema('The bucket with this time is the first. Without it: an hour before `to`.'),
  ),
  to: Type.Optional(givenInstantSchema('Readings before this time. Without it: now.')),
  step: Type.Integer({
    enum: STEPS,
    default: 60,
    description: `Length of a bucket in seconds: ${STEPS.join(', ')}.`,
  }),
};

export const bucketSchema = Type.Object({
  at: Type.String({ ...instantSchema, description: 'The start of the bucket.' }),
  readings: Type.Integer({ minimum: 1 }),
  isComplete: Type.Boolean({ description: 'false: more readings may still arrive.' }),
});
export type CountBucket = Static<typeof bucketSchema>;

export interface BucketRange {
  from: Date;
  to: Date;
}

/** @throws {ApiError} `invalid_request` when the range is empty or has too many buckets */
export function toBucketRange(
  { from, to, step }: { from?: string; to?: string; step: number },
  now: Date,
): BucketRange {
  const end = to === undefined ? now.getTime() : toMilliseconds('to', to);
  const start = from === undefined ? end - HOUR_MS : toMilliseconds('from', from);
  if (start >= end) throw new ApiError('invalid_request', 'from must be before to');
  const stepMs = step * 1_000;
  const first = Math.floor(start / stepMs) * stepMs;
  if ((end - first) / stepMs > MAX_BUCKETS) {
    throw new ApiError('invalid_request', `more than ${MAX_BUCKETS} buckets: request a larger step`);
  }
  return { from: new Date(first), to: new Date(end) };
}

/** Marks the buckets that no reading can be added to any more. */
export function completeBuckets(
  rows: readonly { at: string; readings: number }[],
  { to, step, now }: { to: Date; step: number; now: Date },
): CountBucket[] {
  return rows.map(({ at, readings }) => {
    const end = Date.parse(at) + step * 1_000;
    return { at, readings, isComplete: end <= to.getTime() && end + ARRIVAL_MS <= now.getTime() };
  });
}
