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
  /**
   * Takes what a request costs besides the `paid` tokens that it has taken already, all of it or nothing. A bucket that was
   * full before the request goes into debt for more than it holds; otherwise such a request could never pass.
   *
   * @returns 0, or in how many milliseconds the whole request can pass
   */
  takeMore(now: number, count: number, paid: number): number;
  /** How many tokens it has, rounded down; negative: a debt. */
  left(now: number): number;
}

/** A new bucket is full. */
export function createTokenBucket({ perSecond, burst }: RatePolicy, createdAt: number): TokenBucket {
  let tokens = burst;
  let at = createdAt;

  function refill(now: number): void {
    // A clock that steps back gives nothing and takes nothing.
    tokens = Math.min(burst, tokens + (Math.max(0, now - at) * perSecond) / 1_000);
    at = now;
  }

  return {
    take(now) {
      refill(now);
      if (tokens >= 1) {
        tokens -= 1;
        return 0;
      }
      return Math.ceil(((1 - tokens) * 1_000) / perSecond);
    },
    takeMore(now, count, paid) {
      refill(now);
      if (tokens >= Math.min(count, burst - paid)) {
        tokens -= count;
        return 0;
      }
      return Math.ceil(((Math.min(count + paid, burst) - tokens) * 1_000) / perSecond);
    },
    left(now) {
      refill(now);
      return Math.floor(tokens);
    },
  };
}
