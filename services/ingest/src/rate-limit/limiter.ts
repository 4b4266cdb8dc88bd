import type { Logger } from '@cellarman/telemetry';
import { createBoundedMap } from '../bounded-map.ts';
import { KeyLimit } from './key-limit.ts';
import type { RatePolicy } from './rate-policy.ts';
import type { LeaseMore, Leases } from './redis-leases.ts';

/** After a failed lease no request goes to Redis for this time; clients do not wait for it meanwhile. */
const REDIS_REST_MS = 1_000;
/** A request that finds each lease spent by others before its turn comes is rejected at last. */
const MAX_LEASES_PER_REQUEST = 10;

export interface LimiterOptions {
  leases: Pick<Leases, 'lease' | 'leaseMore'>;
  replicas: number;
  /** Keys whose lease is kept in memory. */
  maxKeys: number;
  logger: Logger;
  monotonic?: () => number;
}

/** Token buckets per key that all replicas share by leases; most requests need no call to Redis. */
export interface Limiter {
  /**
   * Takes one token of a key.
   *
   * @returns 0 when it passes, else in how many milliseconds it may. Only while a lease is under way it is a promise,
   * which never rejects.
   */
  take(keyId: string, policy: RatePolicy): number | Promise<number>;
  /**
   * Takes `count` tokens besides the `paid` that the same request has taken already, all of them or none. A bucket that was
   * full before the request goes into debt for one that costs more than it holds.
   *
   * @returns as `take`; the wait is for the whole request
   */
  takeMore(keyId: string, policy: RatePolicy, count: number, paid: number): number | Promise<number>;
  /**
   * Returns how many tokens the key has. It does not know what others take or return meanwhile, so the result only shows if
   * further work is futile.
   *
   * @param enough with this number in memory Redis is not queried, and may have more
   * @returns negative: a debt
   */
  available(keyId: string, policy: RatePolicy, enough: number): number | Promise<number>;
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
    await withOutageLog(limit, async () => {
      const granted = await leases.lease(keyId, limit.policy, wanted, limit.returnTokens(began));
      limit.fill(wanted, granted, monotonic());
    });
  }

  /** undefined: Redis is unreachable, or another lease was under way and has ended. What is known here has changed. */
  async function leaseMore(
    keyId: string,
    limit: KeyLimit,
    count: number,
    paid: number,
  ): Promise<LeaseMore | undefined> {
    if (limit.leasing !== undefined) {
      await limit.leasing;
      return undefined;
    }
    // Without a slice on top, a batch larger than a slice would cost a request to Redis each time.
    const wanted = limit.nextSlice(monotonic());
    // All of it: whether the bucket is full must not depend on who holds its tokens.
    const unused = limit.giveAllBack();
    let more: LeaseMore | undefined;
    limit.leasing = withOutageLog(limit, async () => {
      more = await leases.leaseMore(keyId, limit.policy, wanted, unused, count, paid);
      const { granted, remaining } = more;
      const waitMs = untilOneMore(remaining, limit.policy);
      // When there was not enough for the request, what is there is still there for smaller ones.
      if (granted > 0 || waitMs > 0) limit.fill(wanted, { granted, remaining, waitMs }, monotonic());
      else limit.noteShared(remaining);
    });
    await limit.leasing;
    return more;
  }

  async function withOutageLog(limit: KeyLimit, request: () => Promise<void>): Promise<void> {
    try {
      await request();
      if (redisAway) logger.info({}, 'Redis is reachable again, rate limits are shared');
      redisAway = false;
    } catch (error) {
      if (!redisAway) logger.warn({ err: error }, 'Redis is unreachable, rate limits apply per replica');
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
    if (now < redisAwayUntil) return limit.own(now).take(now);
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

  /** undefined: a request to Redis is necessary. */
  function takeMoreAtOnce(keyId: string, limit: KeyLimit, count: number, paid: number): number | undefined {
    const now = monotonic();
    if (limit.spend(now, count)) {
      if (limit.isLow && now >= redisAwayUntil) limit.leasing ??= lease(keyId, limit);
      return 0;
    }
    if (now < redisAwayUntil) return limit.own(now).takeMore(now, count, paid);
    return undefined;
  }

  async function takeMoreAfterLease(
    keyId: string,
    limit: KeyLimit,
    count: number,
    paid: number,
  ): Promise<number> {
    for (let requests = 0; requests < MAX_LEASES_PER_REQUEST; requests++) {
      const more = await leaseMore(keyId, limit, count, paid);
      if (more !== undefined) return more.taken ? 0 : Math.max(1, more.waitMs);
      const taken = takeMoreAtOnce(keyId, limit, count, paid);
      if (taken !== undefined) return taken;
    }
    return REDIS_REST_MS;
  }

  /** undefined: a request to Redis is necessary. */
  function availableHere(limit: KeyLimit, enough: number): number | undefined {
    const now = monotonic();
    const leased = limit.leased(now);
    if (leased >= enough) return leased;
    if (now >= redisAwayUntil) return undefined;
    const own = limit.own(now).left(now);
    return leased > 0 ? Math.max(leased, own) : own;
  }

  async function availableInRedis(keyId: string, limit: KeyLimit, enough: number): Promise<number> {
    for (let requests = 0; requests < MAX_LEASES_PER_REQUEST; requests++) {
      const more = await leaseMore(keyId, limit, 0, 0);
      if (more !== undefined) return more.granted + more.remaining;
      const available = availableHere(limit, enough);
      if (available !== undefined) return available;
    }
    return 0;
  }

  return {
    take(keyId, policy) {
      const limit = limitOf(keyId, policy);
      return takeAtOnce(keyId, limit) ?? takeAfterLease(keyId, limit);
    },
    takeMore(keyId, policy, count, paid) {
      const limit = limitOf(keyId, policy);
      return takeMoreAtOnce(keyId, limit, count, paid) ?? takeMoreAfterLease(keyId, limit, count, paid);
    },
    available(keyId, policy, enough) {
      const limit = limitOf(keyId, policy);
      return availableHere(limit, enough) ?? availableInRedis(keyId, limit, enough);
    },
    left(keyId, policy) {
      const limit = limitOf(keyId, policy);
      const now = monotonic();
      return now < redisAwayUntil ? limit.leftOwn(now) : limit.left();
    },
  };
}

/** @param remaining tokens of a bucket; negative: a debt */
function untilOneMore(remaining: number, { perSecond }: RatePolicy): number {
  return remaining >= 1 ? 0 : Math.ceil(((1 - remaining) * 1_000) / perSecond);
}
