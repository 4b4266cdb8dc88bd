import { createLimiter } from '@cellarman/concurrency';
import type { LookupResult } from '@cellarman/contracts';
import { KeysUnavailableError } from './keys-unavailable-error.ts';
import type { ChangeFeed } from './change-feed.ts';
import type { KnownKey } from './known-key.ts';

/** More repeats than any burst of changes to one key needs. */
const MAX_ATTEMPTS = 5;

/** See `KeyServiceClient`. */
export interface LookupService {
  lookUp(hash: string, atLeast: () => number): Promise<LookupResult>;
}

export interface LookupsOptions {
  keyService: LookupService;
  feed: Pick<ChangeFeed, 'position' | 'pull'>;
  /** Lookups in flight. */
  maxConcurrent: number;
  /** Lookups that wait for a slot; more are rejected. */
  maxWaiting: number;
  /**
   * Caches a valid result. Called synchronously after the check: a microtask later a change could arrive in between, and the
   * key that it revokes would be cached.
   */
  remember: (hash: string, record: LookupResult['key']) => KnownKey | null;
}

/**
 * Looks up keys at key-service: concurrent lookups of a key are coalesced, their number is limited, and a result that is older
 * than a pulled change is never used.
 */
export interface Lookups {
  /**
   * @throws {KeysUnavailableError} when key-service returns no reliable result
   */
  lookUp(hash: string): Promise<KnownKey | null>;
  /** A change for this key was pulled: a lookup in flight may not know of it, so it is repeated. */
  supersede(hash: string): void;
  /** The same for every key. */
  supersedeAll(): void;
}

interface PendingLookup {
  promise: Promise<KnownKey | null>;
  /** Changes for this key that were pulled while it was in flight. */
  superseded: number;
}

export function createLookups(options: LookupsOptions): Lookups {
  const { keyService, feed, maxConcurrent, maxWaiting, remember } = options;
  const pending = new Map<string, PendingLookup>();
  const limiter = createLimiter({
    ...{ running: maxConcurrent, waiting: maxWaiting },
    full: () => new KeysUnavailableError('too many keys are being looked up'),
  });

  async function lookUp(hash: string, lookup: PendingLookup): Promise<KnownKey | null> {
    for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
      let { superseded } = lookup;
      const result = await keyService.lookUp(hash, () => {
        // It may have been queued. Its result includes every change that was pulled until now.
        superseded = lookup.superseded;
        return Math.max(0, feed.position().number);
      });
      const { epoch, number } = feed.position();
      if (result.epoch !== epoch) {
        // One of the two is behind: the feed finds out, and forgets what it has to.
        await feed.pull();
      } else if (lookup.superseded === superseded && result.number >= number) {
        // From here on a new request starts its own lookup: a change may come before this promise is heard.
        pending.delete(hash);
        return remember(hash, result.key);
      }
    }
    throw new KeysUnavailableError('key-service lags behind its own changes');
  }

  async function send(hash: string, lookup: PendingLookup): Promise<KnownKey | null> {
    try {
      return await limiter.run({ owner: '' }, () => lookUp(hash, lookup));
    } catch (error) {
      throw error instanceof KeysUnavailableError
        ? error
        : new KeysUnavailableError('the key could not be looked up', { cause: error });
    } finally {
      if (pending.get(hash) === lookup) pending.delete(hash);
    }
  }

  return {
    lookUp(hash) {
      const existing = pending.get(hash);
      if (existing !== undefined) return existing.promise;
      const lookup: PendingLookup = { promise: Promise.resolve(null), superseded: 0 };
      pending.set(hash, lookup);
      lookup.promise = send(hash, lookup);
      return lookup.promise;
    },
    supersede(hash) {
      const lookup = pending.get(hash);
      if (lookup !== undefined) lookup.superseded += 1;
    },
    supersedeAll() {
      for (const lookup of pending.values()) lookup.superseded += 1;
    },
  };
}
