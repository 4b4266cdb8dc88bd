import type { Lease } from './redis-leases.ts';
import type { RatePolicy } from './rate-policy.ts';
import { createTokenBucket } from './token-bucket.ts';
import type { TokenBucket } from './token-bucket.ts';

/** Tokens of a lease that are unspent after this time are returned with the next lease, except for a few. */
const LEASE_MS = 1_000;
/**
 * The part of the burst that a replica may keep without a time limit. A shared bucket that has refilled meanwhile lets that
 * much more through. Without it, each reading of a key that sends one every few seconds would cost a request to Redis.
 */
const KEPT_PART = 1 / 500;
const FIRST_SLICE = 8;
/** A slice that is spent faster grows, one that lasts longer shrinks. */
const QUICK_MS = 100;
const SLOW_MS = 500;
/** The empty bucket of a fast key has a new token almost immediately; a request for each of them would flood Redis. */
const SHORTEST_REJECTION_MS = 10;

/**
 * What this replica may let through for one key.
 *
 * Modes: it spends leased tokens while it has some; it rejects until `emptyUntil` after the shared bucket was empty;
 * while Redis is unreachable it lives on a bucket of its own.
 */
export class KeyLimit {
  readonly policy: RatePolicy;
  /** The lease that is under way, so that a key has one at most. */
  leasing: Promise<void> | undefined;
  #tokens = 0;
  #leasedAt = -Infinity;
  #emptyUntil = -Infinity;
  /** What the shared bucket had after the last lease. */
  #shared = 0;
  #slice: number;
  readonly #maxSlice: number;
  readonly #kept: number;
  readonly #ownPolicy: RatePolicy;
  #own: TokenBucket | undefined;

  constructor(policy: RatePolicy, replicas: number) {
    this.policy = policy;
    this.#maxSlice = Math.max(1, Math.floor(policy.burst / replicas));
    this.#kept = Math.floor(policy.burst * KEPT_PART);
    this.#slice = Math.min(FIRST_SLICE, this.#maxSlice);
    this.#ownPolicy =
      policy.isDivided === true ? { perSecond: policy.perSecond / replicas, burst: this.#maxSlice } : policy;
  }

  /** Spends leased tokens, all of them or none. */
  spend(now: number, count = 1): boolean {
    if (this.#tokens < count || this.#isOver(now)) return false;
    this.#tokens -= count;
    return true;
  }

  /** Leased tokens that can be spent. */
  leased(now: number): number {
    return this.#isOver(now) ? 0 : this.#tokens;
  }

  #isOver(now: number): boolean {
    return now - this.#leasedAt >= LEASE_MS && this.#tokens > this.#kept;
  }

  /** Time to lease the next slice, although requests can still go on with the rest of this one. */
  get isLow(): boolean {
    return this.#slice > 1 && this.#tokens * 2 < this.#slice;
  }

  /** How long the shared bucket is known to stay empty. */
  emptyMs(now: number): number {
    return Math.max(0, this.#emptyUntil - now);
  }

  /** Returns the number of tokens for the next lease. */
  nextSlice(now: number): number {
    const lastedMs = now - this.#leasedAt;
    if (lastedMs < QUICK_MS) this.#slice = Math.min(this.#slice * 2, this.#maxSlice);
    else if (lastedMs > SLOW_MS && lastedMs < Infinity)
      this.#slice = Math.max(1, Math.min(FIRST_SLICE, this.#kept), Math.floor(this.#slice / 2));
    return this.#slice;
  }

  /** Returns the unspent tokens of a lease that has expired. */
  returnTokens(now: number): number {
    return this.#isOver(now) ? this.giveAllBack() : 0;
  }

  /** Also what is left of a lease that is not over. */
  giveAllBack(): number {
    const unused = this.#tokens;
    this.#tokens = 0;
    // Returned tokens can be leased again.
    if (unused > 0) this.#emptyUntil = -Infinity;
    return unused;
  }

  fill(wanted: number, { granted, remaining, waitMs }: Lease, now: number): void {
    this.#tokens += granted;
    this.#shared = remaining;
    this.#leasedAt = now;
    if (granted < wanted) this.#emptyUntil = now + Math.max(waitMs, SHORTEST_REJECTION_MS);
  }

  /** A batch took its tokens from the shared bucket, or was rejected, and nothing was leased besides. */
  noteShared(remaining: number): void {
    this.#shared = remaining;
  }

  /** What would pass now, as far as this replica knows: other replicas may have leased since. Negative: a debt. */
  left(): number {
    return this.#tokens + this.#shared;
  }

  /** The same while Redis is unreachable. */
  leftOwn(now: number): number {
    return this.#tokens + this.own(now).left(now);
  }

  /** The bucket of this replica alone, for as long as Redis is unreachable. */
  own(now: number): TokenBucket {
    this.#own ??= createTokenBucket(this.#ownPolicy, now);
    return this.#own;
  }
}
