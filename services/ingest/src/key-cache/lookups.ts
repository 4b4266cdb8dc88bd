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
  /** Lookups that are under way at a time. */
  maxConcurrent: number;
  /** Lookups that wait for their turn; more are rejected. */
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
  /** A change for this key was pulled: a lookup that is under way may not know of it, so it is repeated. */
  overtake(hash: string): void;
  /** The same for every key. */
  overtakeAll(): void;
}

interface Flight {
  promise: Promise<KnownKey | null>;
  /** How often a change for this key came while it was under way. */
  overtaken: number;
}

export function createLookups(options: LookupsOptions): Lookups {
  const { keyService, feed, maxConcurrent, maxWaiting, remember } = options;
  const flights = new Map<string, Flight>();
  const waiting: (() => void)[] = [];
  let running = 0;

  async function takeTurn(): Promise<void> {
    if (running < maxConcurrent) {
      running++;
      return;
    }
    if (waiting.length >= maxWaiting) throw new KeysUnavailableError('too many keys are being looked up');
    // The one that ends hands its place over, so `running` stays.
    await new Promise<void>((resolve) => waiting.push(resolve));
  }

  function endTurn(): void {
    const next = waiting.shift();
    if (next === undefined) running--;
    else next();
  }

  async function ask(hash: string, flight: Flight): Promise<KnownKey | null> {
    for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
      let { overtaken } = flight;
      const answer = await keyService.lookUp(hash, () => {
        // It may have been queued. Its result includes every change that was pulled until now.
        overtaken = flight.overtaken;
        return Math.max(0, feed.position().number);
      });
      const { epoch, number } = feed.position();
      if (answer.epoch !== epoch) {
        // One of the two is behind: the feed finds out, and forgets what it has to.
        await feed.pull();
      } else if (flight.overtaken === overtaken && answer.number >= number) {
        // From here on a new request starts its own lookup: a change may come before this promise is heard.
        flights.delete(hash);
        return remember(hash, answer.key);
      }
    }
    throw new KeysUnavailableError('key-service lags behind its own changes');
  }

  async function fly(hash: string, flight: Flight): Promise<KnownKey | null> {
    await takeTurn();
    try {
      return await ask(hash, flight);
    } catch (error) {
      throw error instanceof KeysUnavailableError
        ? error
        : new KeysUnavailableError('the key could not be looked up', { cause: error });
    } finally {
      endTurn();
      if (flights.get(hash) === flight) flights.delete(hash);
    }
  }

  return {
    lookUp(hash) {
      const existing = flights.get(hash);
      if (existing !== undefined) return existing.promise;
      const flight: Flight = { promise: Promise.resolve(null), overtaken: 0 };
      flights.set(hash, flight);
      flight.promise = fly(hash, flight);
      return flight.promise;
    },
    overtake(hash) {
      const flight = flights.get(hash);
      if (flight !== undefined) flight.overtaken += 1;
    },
    overtakeAll() {
      for (const flight of flights.values()) flight.overtaken += 1;
    },
  };
}
