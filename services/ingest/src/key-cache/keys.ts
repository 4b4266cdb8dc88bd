import { MAX_HASHES_PER_LOOKUP } from '@cellarman/contracts';
import type { Change, KeyRecord } from '@cellarman/contracts';
import type { KeyServiceClient } from '@cellarman/key-service-client';
import type { Logger } from '@cellarman/telemetry';
import { createBoundedMap } from '../bounded-map.ts';
import { createChangeFeed } from './change-feed.ts';
import { KeysUnavailableError } from './keys-unavailable-error.ts';
import { toKnownKey } from './known-key.ts';
import type { KnownKey } from './known-key.ts';
import { createLookups } from './lookups.ts';
import type { LookupService } from './lookups.ts';

/** An unknown key costs at most one lookup in this time; a key created meanwhile works immediately, by its change. */
const UNKNOWN_TTL_MS = 10_000;
const MAX_UNKNOWN = 10_000;
/** Two full requests to key-service. */
const MAX_CONCURRENT_LOOKUPS = 2 * MAX_HASHES_PER_LOOKUP;
/** A lookup at the end of this queue completes after four more requests: in time, even if each of them times out. */
const MAX_WAITING_LOOKUPS = 2_000;
/** A pull that a request has waited for can be outdated when it ends, if the process was paused meanwhile. */
const MAX_PULLS_PER_REQUEST = 3;

export interface KeysOptions {
  keyService: LookupService & Pick<KeyServiceClient, 'changes'>;
  pullIntervalMs: number;
  /** How long known keys go on while key-service is unreachable. */
  staleMaxMs: number;
  maxKeys: number;
  logger: Logger;
  onPulled?: (error: unknown) => void;
  /** A key leaves the memory; what is not yet reported of it would be lost. */
  onDrop?: (key: KnownKey) => void;
  monotonic?: () => number;
}

/** The API keys that this replica knows, kept in step with key-service. */
export interface Keys {
  /**
   * Returns the key of a hash, or null when PostgreSQL has none. A cached key is returned synchronously.
   *
   * @throws {KeysUnavailableError} as a rejection, when it is unknown
   */
  find(hash: string): KnownKey | null | Promise<KnownKey | null>;
  known(): Iterable<KnownKey>;
  readonly size: number;
  /** How long ago the last successful pull began. */
  ageMs(): number;
  start(): void;
  stop(): void;
}

export function createKeys(options: KeysOptions): Keys {
  const { keyService, staleMaxMs, onDrop } = options;
  const monotonic = options.monotonic ?? (() => performance.now());
  const cache = createBoundedMap<KnownKey>({ limit: options.maxKeys, ...(onDrop && { onDrop }) });
  const unknownUntil = createBoundedMap<number>({ limit: MAX_UNKNOWN });

  const feed = createChangeFeed({
    keyService,
    monotonic,
    intervalMs: options.pullIntervalMs,
    logger: options.logger,
    onChanges: applyChanges,
    onForget: forgetAll,
    ...(options.onPulled && { onPulled: options.onPulled }),
  });
  const lookups = createLookups({
    keyService,
    feed,
    maxConcurrent: MAX_CONCURRENT_LOOKUPS,
    maxWaiting: MAX_WAITING_LOOKUPS,
    remember,
  });

  function applyChanges(changes: readonly Change[]): void {
    const cellars = new Set<string>();
    for (const change of changes) {
      if (change.kind === 'cellar') cellars.add(change.cellar);
      else forget(change.hash);
    }
    if (cellars.size === 0) return;
    for (const [hash, key] of cache.entries()) if (cellars.has(key.record.cellar)) forget(hash);
    // Which cellar a key belongs to is not known before its lookup ends.
    lookups.supersedeAll();
  }

  function forget(hash: string): void {
    cache.delete(hash);
    unknownUntil.delete(hash);
    lookups.supersede(hash);
  }

  function forgetAll(): void {
    cache.clear();
    unknownUntil.clear();
    lookups.supersedeAll();
  }

  function remember(hash: string, record: KeyRecord | null): KnownKey | null {
    if (record === null) {
      unknownUntil.set(hash, monotonic() + UNKNOWN_TTL_MS);
      return null;
    }
    const key = toKnownKey(record);
    cache.set(hash, key);
    return key;
  }

  function fromMemory(hash: string): KnownKey | null | undefined {
    const key = cache.get(hash);
    if (key !== undefined) return key;
    const until = unknownUntil.get(hash);
    return until !== undefined && monotonic() < until ? null : undefined;
  }

  function findFresh(hash: string): KnownKey | null | Promise<KnownKey | null> {
    const key = fromMemory(hash);
    return key === undefined ? lookups.lookUp(hash) : key;
  }

  async function pullThenFind(hash: string): Promise<KnownKey | null> {
    for (let pulls = 0; pulls < MAX_PULLS_PER_REQUEST && feed.state() === 'unsure'; pulls++)
      await feed.pull();
    const state = feed.state();
    if (state === 'unsure') throw new KeysUnavailableError('the changes of keys come too slowly');
    return state === 'fresh' ? findFresh(hash) : findStale(hash);
  }

  /** While key-service is away a known key goes on, a revoked one stays rejected, and nothing is said of any other. */
  function findStale(hash: string): KnownKey | Promise<never> {
    const key = feed.ageMs() < staleMaxMs ? cache.get(hash) : undefined;
    return key ?? Promise.reject(new KeysUnavailableError('key-service cannot be reached'));
  }

  return {
    find(hash) {
      const state = feed.state();
      if (state === 'fresh') return findFresh(hash);
      return state === 'unsure' ? pullThenFind(hash) : findStale(hash);
    },
    *known() {
      for (const [, key] of cache.entries()) yield key;
    },
    get size() {
      return cache.size;
    },
    ageMs: () => feed.ageMs(),
    start: () => feed.start(),
    stop: () => feed.stop(),
  };
}
