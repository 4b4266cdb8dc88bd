/** A token bucket: it holds `burst` tokens at most and gains `perSecond` of them. One reading takes one. */
export interface RatePolicy {
  perSecond: number;
  burst: number;
  /** A replica that limits by itself lets only its part through, because what it counts comes to all replicas. @default false */
  isDivided?: boolean;
}

/** A bucket that a request takes tokens from. */
export interface RateLimit {
  /** Names the bucket, for all replicas. */
  id: string;
  /** Names the policy in the header fields. */
  name: 'api-key' | 'cellar';
  policy: RatePolicy;
}

/*
 * RateLimit-Policy and RateLimit as of draft-ietf-httpapi-ratelimit-headers-10. The draft knows windows, not buckets: a
 * bucket that fills in `w` seconds lets through its burst in every such window.
 */

export function policyField({ name, policy: { perSecond, burst } }: RateLimit): string {
  return `"${name}";q=${burst};w=${Math.max(1, Math.ceil(burst / perSecond))}`;
}

/**
 * @param remaining readings that would pass now
 * @param resetSeconds when more will, rounded up; undefined: more than one would
 */
export function limitField({ name, policy }: RateLimit, remaining: number, resetSeconds?: number): string {
  // Beside a full bucket a replica may hold the rest of a lease.
  const allowed = Math.min(remaining, policy.burst);
  return `"${name}";r=${allowed}${resetSeconds === undefined ? '' : `;t=${resetSeconds}`}`;
}
