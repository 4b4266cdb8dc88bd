import { RateExceeded } from '../rate-limit/charge.ts';
import type { Charge } from '../rate-limit/charge.ts';
import { createBoundedMap } from '../bounded-map.ts';

/** A client that obeys Retry-After never notices, as that is at least a second. */
const HOLD_MS = 1_000;
/** A batch of the same length may have fewer readings, so what one has cost does not count for ever. */
const REMEMBER_MS = 10_000;
const MAX_KEYS = 1_000;

/**
 * Remembers which batches exceeded the rate limit of their key. A batch that cannot be paid for is charged only for the work
 * that it could pay for: to charge all of it would starve a client that retries early. But the same batch sent again as fast
 * as it is rejected would cost a decompression, a scan and a request to Redis each time, for little.
 */
export interface ExceededBatches {
  /**
   * Does the work of a batch, and remembers when it exceeds the rate limit.
   *
   * @param length of the body as it was sent, in bytes
   * @throws {RateExceeded} without any work when a batch of the key that was not longer exceeded its rate limit within the
   * last second
   */
  guard<T>(keyId: string, length: number, work: () => Promise<T>): Promise<T>;
  /** @throws {RateExceeded} when the key cannot pay for as much as a batch that was not longer has lately cost */
  assertPayable(keyId: string, length: number, charge: Pick<Charge, 'assertCanRaiseTo'>): Promise<void>;
}

interface Hold {
  length: number;
  untilMs: number;
  forgetMs: number;
  exceeded: RateExceeded;
}

export function createExceededBatches(monotonic = () => performance.now()): ExceededBatches {
  const holds = createBoundedMap<Hold>({ limit: MAX_KEYS });

  function remembered(keyId: string): Hold | undefined {
    const hold = holds.get(keyId);
    return hold !== undefined && monotonic() < hold.forgetMs ? hold : undefined;
  }

  function check(keyId: string, length: number): void {
    const hold = remembered(keyId);
    if (hold === undefined || length < hold.length || monotonic() >= hold.untilMs) return;
    const { policy, tokens } = hold.exceeded;
    throw new RateExceeded(policy, { waitMs: Math.max(1, Math.ceil(hold.untilMs - monotonic())), tokens });
  }

  function note(keyId: string, length: number, exceeded: RateExceeded): void {
    const now = monotonic();
    const known = remembered(keyId);
    const isNew = known === undefined || length < known.length || exceeded.tokens > known.exceeded.tokens;
    // One that was held back does not hold back others.
    if (!isNew && now < known.untilMs) return;
    holds.set(keyId, {
      ...(isNew ? { length, exceeded, forgetMs: now + REMEMBER_MS } : known),
      untilMs: now + HOLD_MS,
    });
  }

  return {
    async guard(keyId, length, work) {
      check(keyId, length);
      try {
        return await work();
      } catch (error) {
        if (error instanceof RateExceeded) note(keyId, length, error);
        throw error;
      }
    },
    async assertPayable(keyId, length, charge) {
      const hold = remembered(keyId);
      if (hold === undefined || length < hold.length) return;
      const { tokens } = hold.exceeded;
      await charge.assertCanRaiseTo(tokens, tokens);
    },
  };
}
