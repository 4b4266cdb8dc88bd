import type { RatePolicy } from './rate-policy.ts';

/** A bucket in the memory of this replica. `lease-script.ts` has the same arithmetic in Lua. */
export interface TokenBucket {
  /**
   * Takes one token.
   *
   * @param now milliseconds of a monotonic clock
   * @returns 0, or in how many milliseconds there will be one
   */
  take(now: number): number;
}

/** A new bucket is full. */
export function createTokenBucket({ perSecond, burst }: RatePolicy, createdAt: number): TokenBucket {
  let tokens = burst;
  let at = createdAt;
  return {
    take(now) {
      // A clock that steps back gives nothing and takes nothing.
      tokens = Math.min(burst, tokens + (Math.max(0, now - at) * perSecond) / 1_000);
      at = now;
      if (tokens >= 1) {
        tokens -= 1;
        return 0;
      }
      return Math.ceil(((1 - tokens) * 1_000) / perSecond);
    },
  };
}
