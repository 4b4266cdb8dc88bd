import type { Limiter } from './limiter.ts';
import type { RatePolicy } from './rate-policy.ts';

/** The request exceeds a rate limit. `ingest-batch.ts` sends the response. */
export class RateExceeded extends Error {
  override readonly name = 'RateExceeded';
  /** The limit that was exceeded. */
  readonly policy: RatePolicy;
  /** Until the whole request can pass. */
  readonly waitMs: number;
  /** What the whole request costs, as far as is known; a full bucket at most. */
  readonly tokens: number;

  constructor(policy: RatePolicy, { waitMs, tokens }: { waitMs: number; tokens: number }) {
    super('A rate limit was exceeded');
    this.policy = policy;
    this.waitMs = waitMs;
    this.tokens = Math.min(tokens, policy.burst);
  }
}

/**
 * What one request pays of the rate limit, in tokens. It is raised before the work that it pays for is done, as far as the
 * cost is known by then, and what is paid is not refunded: a request that is rejected has cost the work all the same.
 */
export interface Charge {
  /**
   * Takes the tokens missing to `tokens`, all or nothing. Returns a promise only if a request to Redis is necessary.
   *
   * @throws {RateExceeded} also as a rejection
   */
  raiseTo(tokens: number): void | Promise<void>;
  /**
   * @throws {RateExceeded} when it cannot be raised to `tokens` now. Nothing is taken.
   * @param total what the request will cost in all as far as it can be guessed, for the time to wait
   */
  assertCanRaiseTo(tokens: number, total: number): void | Promise<void>;
  /**
   * Takes tokens for work that showed only when it was done, also when the key does not have them: a debt. A key with a small
   * burst pays at most that.
   */
  debit(tokens: number): Promise<void>;
  /** How far it can be raised at least, in tokens, as of the last look. */
  readonly reach: number;
}

/** To have paid so much is to have had a bucket that passes anything. */
const ANY_DEBT = Number.MAX_SAFE_INTEGER;

export interface ChargeOptions {
  limiter: Pick<Limiter, 'takeMore' | 'available'>;
  keyId: string;
  policy: RatePolicy;
  /** Tokens that were taken before. */
  paid: number;
}

export function openCharge({ limiter, keyId, policy, ...options }: ChargeOptions): Charge {
  const { perSecond, burst } = policy;
  let { paid } = options;
  let reach = paid;

  function assertPassed(waitMs: number, tokens: number): void {
    if (waitMs > 0) throw new RateExceeded(policy, { waitMs, tokens });
    paid = tokens;
  }

  function assertInReach(left: number, tokens: number, total: number): void {
    // A bucket that was full before the request goes into debt.
    reach = left >= burst - paid ? Infinity : paid + left;
    if (tokens <= reach) return;
    const all = Math.max(tokens, total);
    const waitMs = Math.max(1, Math.ceil(((Math.min(all, burst) - left) * 1_000) / perSecond));
    throw new RateExceeded(policy, { waitMs, tokens: all });
  }

  return {
    raiseTo(tokens) {
      if (tokens <= paid) return undefined;
      const waitMs = limiter.takeMore(keyId, policy, tokens - paid, paid);
      if (typeof waitMs !== 'number') return waitMs.then((ms) => assertPassed(ms, tokens));
      assertPassed(waitMs, tokens);
      return undefined;
    },
    assertCanRaiseTo(tokens, total) {
      if (tokens <= reach) return undefined;
      const left = limiter.available(keyId, policy, tokens - paid);
      if (typeof left !== 'number') return left.then((now) => assertInReach(now, tokens, total));
      assertInReach(left, tokens, total);
      return undefined;
    },
    async debit(tokens) {
      if (tokens > 0) await limiter.takeMore(keyId, policy, Math.min(tokens, burst), ANY_DEBT);
    },
    get reach() {
      return reach;
    },
  };
}
