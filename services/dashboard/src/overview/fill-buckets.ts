export interface Bucket {
  /** The start, RFC 3339. */
  at: string;
  readings: number;
  isComplete: boolean;
}

/** One bar of the chart. At most one of `complete` and `stillFilling` is set; neither is: no known readings. */
export interface Bar {
  at: number;
  complete: number | null;
  stillFilling: number | null;
  rejected: number | null;
}

/**
 * Returns a bar for every step of a range, with a gap for each missing bucket. Rejected readings come from another query.
 *
 * @param from, to milliseconds since 1970
 * @param step in seconds; buckets start at its multiples
 */
export function fillBuckets(buckets: readonly Bucket[], from: number, to: number, step: number): Bar[] {
  const width = step * 1_000;
  const known = new Map(buckets.map((bucket) => [Date.parse(bucket.at), bucket]));
  const bars: Bar[] = [];
  for (let at = Math.floor(from / width) * width; at <= to; at += width) {
    const bucket = known.get(at);
    const readings = bucket?.readings ?? null;
    const isComplete = bucket?.isComplete ?? true;
    bars.push({
      at,
      complete: isComplete ? readings : null,
      stillFilling: isComplete ? null : readings,
      rejected: null,
    });
  }
  return bars;
}
