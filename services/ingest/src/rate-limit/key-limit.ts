import type { Lease } from './redis-leases.ts';
import type { RatePolicy } from './rate-policy.ts';
import { createTokenBucket } from './token-bucket.ts';
import type { TokenBucket } from './token-bucket.ts';

/** Tokens of a lease that are not spent by then are given back with the next one, unless they are very few. */
const LEASE_MS = 1_000;
/**
 * So much of the burst a replica may keep for as long as it likes: a bucket that has filled up again lets that much more
 * through. Otherwise each reading of a key that sends one in a few seconds would ask Redis.
 */
const KEPT_PART = 1 / 500;
const FIRST_SLICE = 8;
/** A slice that is spent faster grows, one that lasts longer shrinks. */
const QUICK_MS = 100;
const SLOW_MS = 500;
/** An empty bucket of a fast key has a token again at once; asking Redis for each of them would flood it. */
const SHORTEST_REJECTION_MS = 10;

/**
 * What this replica may let through for one key.
 *
 * Modes: it spends leased tokens while it has some; it rejects until `emptyUntil` after the shared bucket was empty;
 * while Redis is away it lives on a bucket of its own.
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

  /** What the next lease asks for. */
  nextSlice(now: number): number {
    const lastedMs = now - this.#leasedAt;
    if (lastedMs < QUICK_MS) this.#slice = Math.min(this.#slice * 2, this.#maxSlice);
    else if (lastedMs > SLOW_MS && lastedMs < Infinity)
      this.#slice = Math.max(1, Math.min(FIRST_SLICE, this.#kept), Math.floor(this.#slice / 2));
    return this.#slice;
  }

  /** What is left of a lease that is over. */
  giveBack(now: number): number {
    return this.#isOver(now) ? this.giveAllBack() : 0;
  }

  /** Also what is left of a lease that is not over. */
  giveAllBack(): number {
    const unused = this.#tokens;
    this.#tokens = 0;
    // What is given back is there to be leased again.
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

  /** The same while Redis is away. */
  leftOwn(now: number): number {
    return this.#tokens + this.own(now).left(now);
  }

  /** The bucket of this replica alone, for as long as Redis is away. */
  own(now: number): TokenBucket {
    this.#own ??= createTokenBucket(this.#ownPolicy, now);
    return this.#own;
  }
}
