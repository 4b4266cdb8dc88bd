export interface Bucket {
  /** The begin, RFC 3339. */
  at: string;
  readings: number;
  isComplete: boolean;
}

/** One bar of the chart. Of the first two numbers at most one is there; neither: nothing is known to have come. */
export interface Bar {
  at: number;
  complete: number | null;
  stillFilling: number | null;
  refused: number | null;
}

/**
 * Every step of a range, with a gap wherever the service names no bucket. What was refused comes from elsewhere.
 *
 * @param from, to milliseconds since 1970
 * @param step in seconds; buckets begin at its multiples
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
      refused: null,
    });
  }
  return bars;
}
