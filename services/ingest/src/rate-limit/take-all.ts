import type { Limiter } from './limiter.ts';
import type { RateLimit } from './rate-policy.ts';

export interface Exceeded {
  limit: RateLimit;
  waitMs: number;
}

/**
 * Takes a token from each bucket in order, until one has none. What was taken before is not returned, as a rejected reading
 * counts too.
 *
 * @returns the limit that was exceeded, or undefined; a promise only while a lease is under way
 */
export function takeAll(
  limiter: Pick<Limiter, 'take'>,
  limits: readonly RateLimit[],
  from = 0,
): Exceeded | undefined | Promise<Exceeded | undefined> {
  for (let i = from; i < limits.length; i++) {
    const limit = limits[i] as RateLimit;
    const waitMs = limiter.take(limit.id, limit.policy);
    if (typeof waitMs !== 'number') {
      return waitMs.then((ms) => (ms > 0 ? { limit, waitMs: ms } : takeAll(limiter, limits, i + 1)));
    }
    if (waitMs > 0) return { limit, waitMs };
  }
  return undefined;
}
