/** A token bucket: it holds `burst` tokens at most and gains `perSecond` of them. One reading takes one. */
export interface RatePolicy {
  perSecond: number;
  burst: number;
}

/** The name of the one policy there is, in both header fields. */
const NAME = '"api-key"';

/*
 * RateLimit-Policy and RateLimit as of draft-ietf-httpapi-ratelimit-headers-10. The draft knows windows, not buckets: a
 * bucket that fills in `w` seconds lets through its burst in every such window.
 */

export function policyField({ perSecond, burst }: RatePolicy): string {
  return `${NAME};q=${burst};w=${Math.max(1, Math.ceil(burst / perSecond))}`;
}

/**
 * @param remaining readings that would pass now
 * @param resetSeconds when more will, rounded up; undefined: more than one would
 */
export function limitField(remaining: number, resetSeconds?: number): string {
  return `${NAME};r=${remaining}${resetSeconds === undefined ? '' : `;t=${resetSeconds}`}`;
}
