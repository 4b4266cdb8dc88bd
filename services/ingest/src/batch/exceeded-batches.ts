import { RateExceeded } from '../rate-limit/charge.ts';
import { createBoundedMap } from '../bounded-map.ts';

/** A client that obeys Retry-After never notices, as that is at least a second. */
const HOLD_MS = 1_000;
const MAX_KEYS = 1_000;

/**
 * Remembers which batches exceeded the rate limit of their key. A batch that cannot be paid for is charged only for the work
 * that it could pay for: to charge all of it would starve a client that retries early. But the same batch sent again as fast
 * as it is rejected would cost a decompression and a request to Redis each time, for one token.
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
}

interface Hold {
  length: number;
  untilMs: number;
  exceeded: RateExceeded;
}

export function createExceededBatches(monotonic = () => performance.now()): ExceededBatches {
  const holds = createBoundedMap<Hold>({ limit: MAX_KEYS });

  function current(keyId: string): Hold | undefined {
    const hold = holds.get(keyId);
    return hold !== undefined && monotonic() < hold.untilMs ? hold : undefined;
  }

  function check(keyId: string, length: number): void {
    const hold = current(keyId);
    if (hold === undefined || length < hold.length) return;
    throw new RateExceeded(hold.exceeded.policy, Math.max(1, Math.ceil(hold.untilMs - monotonic())));
  }

  function note(keyId: string, length: number, exceeded: RateExceeded): void {
    // One that was held back does not hold back others.
    if (length >= (current(keyId)?.length ?? Infinity)) return;
    const untilMs = monotonic() + Math.min(HOLD_MS, exceeded.waitMs);
    holds.set(keyId, { length, untilMs, exceeded });
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
  };
}
