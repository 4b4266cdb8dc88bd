import type { Logger } from '@cellarman/telemetry';
import { createBoundedMap } from '../bounded-map.ts';
import { KeyLimit } from './key-limit.ts';
import type { RatePolicy } from './rate-policy.ts';
import type { Leases } from './redis-leases.ts';

/** After a failed lease nobody asks Redis for so long; requests do not wait for it meanwhile. */
const REDIS_REST_MS = 1_000;
/** A request that finds each lease spent by others before its turn comes is refused at last. */
const MAX_LEASES_PER_REQUEST = 10;

export interface LimiterOptions {
  leases: Pick<Leases, 'lease' | 'leaseMore'>;
  replicas: number;
  /** Keys whose lease is kept in memory. */
  maxKeys: number;
  logger: Logger;
  monotonic?: () => number;
}

/** Token buckets per key that all replicas share by leases; the usual request asks nobody. */
export interface Limiter {
  /**
   * Takes one token of a key.
   *
   * @returns 0 when it passes, else in how many milliseconds it may. Only while a lease is under way it is a promise,
   * which never rejects.
   */
  take(keyId: string, policy: RatePolicy): number | Promise<number>;
  /**
   * Takes so many tokens besides the one that `take` has taken, all of them or none: what the readings of a batch cost. A
   * bucket that was full goes into debt for a batch that is larger than it.
   *
   * @returns as `take`
   */
  takeMore(keyId: string, policy: RatePolicy, count: number): number | Promise<number>;
  /** Readings of a key that would pass now, as far as this replica knows. Negative: a debt. */
  left(keyId: string, policy: RatePolicy): number;
}

export function createLimiter(options: LimiterOptions): Limiter {
  const { leases, replicas, logger } = options;
  const monotonic = options.monotonic ?? (() => performance.now());
  const limits = createBoundedMap<KeyLimit>({ limit: options.maxKeys });
  let redisAwayUntil = -Infinity;
  let redisAway = false;

  function limitOf(keyId: string, policy: RatePolicy): KeyLimit {
    const known = limits.get(keyId);
    if (known?.policy.perSecond === policy.perSecond && known.policy.burst === policy.burst) return known;
    const limit = new KeyLimit(policy, replicas);
    limits.set(keyId, limit);
    return limit;
  }

  async function lease(keyId: string, limit: KeyLimit): Promise<void> {
    const began = monotonic();
    const wanted = limit.nextSlice(began);
    await asking(limit, async () => {
      const granted = await leases.lease(keyId, limit.policy, wanted, limit.giveBack(began));
      limit.fill(wanted, granted, monotonic());
    });
  }

  /** @returns as `takeMore`; undefined when Redis is away */
  async function leaseMore(keyId: string, limit: KeyLimit, count: number): Promise<number | undefined> {
    // A batch that is larger than a slice would ask Redis each time.
    const wanted = limit.nextSlice(monotonic());
    // All of it: whether the bucket is full must not depend on who holds its tokens.
    const unused = limit.giveAllBack();
    let result: number | undefined;
    await asking(limit, async () => {
      const more = await leases.leaseMore(keyId, limit.policy, wanted, unused, count);
      result = more.taken ? 0 : Math.max(1, more.waitMs);
      if (more.granted > 0) limit.fill(more.granted, more, monotonic());
      else limit.noteShared(more.remaining);
    });
    return result;
  }

  async function asking(limit: KeyLimit, ask: () => Promise<void>): Promise<void> {
    try {
      await ask();
      if (redisAway) logger.info({}, 'Redis answers again, the rate limits are shared');
      redisAway = false;
    } catch (error) {
      if (!redisAway) logger.warn({ err: error }, 'Redis is away, this replica limits rates by itself');
      redisAway = true;
      redisAwayUntil = monotonic() + REDIS_REST_MS;
    } finally {
      limit.leasing = undefined;
    }
  }

  /** undefined: a lease has to come first. */
  function takeAtOnce(keyId: string, limit: KeyLimit): number | undefined {
    const now = monotonic();
    if (limit.spend(now)) {
      if (limit.isLow && now >= redisAwayUntil) limit.leasing ??= lease(keyId, limit);
      return 0;
    }
    if (now < redisAwayUntil) return limit.takeOwn(now);
    const emptyMs = limit.emptyMs(now);
    return emptyMs > 0 ? emptyMs : undefined;
  }

  async function takeAfterLease(keyId: string, limit: KeyLimit): Promise<number> {
    for (let leased = 0; leased < MAX_LEASES_PER_REQUEST; leased++) {
      await (limit.leasing ??= lease(keyId, limit));
      const taken = takeAtOnce(keyId, limit);
      if (taken !== undefined) return taken;
    }
    return REDIS_REST_MS;
  }

  /** undefined: Redis has to be asked. */
  function takeMoreAtOnce(keyId: string, limit: KeyLimit, count: number): number | undefined {
    const now = monotonic();
    if (limit.spend(now, count)) {
      if (limit.isLow && now >= redisAwayUntil) limit.leasing ??= lease(keyId, limit);
      return 0;
    }
    if (now < redisAwayUntil) return limit.takeMoreOwn(now, count);
    return undefined;
  }

  async function takeMoreAfterLease(keyId: string, limit: KeyLimit, count: number): Promise<number> {
    for (let asked = 0; asked < MAX_LEASES_PER_REQUEST; asked++) {
      if (limit.leasing === undefined) {
        const more = leaseMore(keyId, limit, count);
        limit.leasing = more.then(() => undefined);
        const waitMs = await more;
        if (waitMs !== undefined) return waitMs;
      } else {
        await limit.leasing;
      }
      const taken = takeMoreAtOnce(keyId, limit, count);
      if (taken !== undefined) return taken;
    }
    return REDIS_REST_MS;
  }

  return {
    take(keyId, policy) {
      const limit = limitOf(keyId, policy);
      return takeAtOnce(keyId, limit) ?? takeAfterLease(keyId, limit);
    },
    takeMore(keyId, policy, count) {
      if (count <= 0) return 0;
      const limit = limitOf(keyId, policy);
      return takeMoreAtOnce(keyId, limit, count) ?? takeMoreAfterLease(keyId, limit, count);
    },
    left(keyId, policy) {
      const limit = limitOf(keyId, policy);
      const now = monotonic();
      return now < redisAwayUntil ? limit.leftOwn(now) : limit.left();
    },
  };
}
