/** A completed hour of receipt, in milliseconds since 1970: `to` is exclusive. */
export interface Hour {
  from: number;
  to: number;
}

export const HOUR_MS = 3_600_000;
/** Small, so that the readings of one bucket fit into memory. */
export const BUCKET_MS = 2_000;

/**
 * Returns when a message counts: at its time of receipt, or, if the broker appended it much earlier or later than that,
 * when it was appended. So each message belongs to exactly one hour, which is read together with the tolerance around it.
 *
 * @param toleranceMs by which the clocks may differ, and a message may have waited for the broker
 */
export function momentOf(receivedAt: number, appendedAt: number, toleranceMs: number): number {
  return Math.abs(appendedAt - receivedAt) <= toleranceMs ? receivedAt : appendedAt;
}

export function isWithin({ from, to }: Hour, moment: number): boolean {
  return moment >= from && moment < to;
}

export function bucketOf({ from }: Hour, moment: number): number {
  return Math.floor((moment - from) / BUCKET_MS);
}
