import type { LookupResult } from '@cellarman/contracts';
import type { Position } from '../changes/epoch.ts';
import type { FollowedPosition } from './followed-position.ts';
import type { KeyCache } from './key-cache.ts';
import type { UnknownKeys } from './unknown-keys.ts';

/** Where a result came from, for metrics. */
export type LookupSource = 'redis' | 'unknown' | 'postgres';

interface PendingLookup {
  /** The epoch that this replica followed when it began. */
  epoch: string | undefined;
  needed: number;
  result: Promise<LookupResult>;
}

/**
 * Returns the key of a hash: from Redis if its entry includes every change that this replica knows of, otherwise from
 * PostgreSQL. Only PostgreSQL decides that a key is unknown.
 *
 * There is one pending lookup per hash. A later call joins it, unless it needs a newer result.
 */
export function createLookup(parts: {
  position: FollowedPosition;
  cache: Pick<KeyCache, 'read' | 'write'>;
  unknownKeys: UnknownKeys;
  /** Queries PostgreSQL. */
  findKey: (hash: string) => Promise<LookupResult>;
  onLookup?: (source: LookupSource) => void;
}) {
  const { position, cache, unknownKeys, findKey, onLookup = () => {} } = parts;
  const pending = new Map<string, PendingLookup>();

  async function find(hash: string, needed: number, followed: Position | undefined): Promise<LookupResult> {
    if (followed !== undefined) {
      const unknown = unknownKeys.find(hash, { epoch: followed.epoch, number: needed });
      if (unknown !== undefined) {
        onLookup('unknown');
        return { ...unknown, key: null };
      }
    }

    const cached = await cache.read(hash);
    if (
      followed !== undefined &&
      cached?.key !== undefined &&
      cached.state.epoch === followed.epoch &&
      cached.state.applied >= needed
    ) {
      onLookup('redis');
      return { epoch: cached.state.epoch, number: cached.state.applied, key: cached.key };
    }

    const found = await findKey(hash);
    onLookup('postgres');
    if (found.key === null) unknownKeys.remember(hash, { epoch: found.epoch, number: found.number });
    // Not awaited: a failed write costs one more query.
    else if (cached !== undefined) void cache.write(cached.state, found.key, found);
    return found;
  }

  function send(hash: string, atLeast: number): Promise<LookupResult> {
    const followed = position.current();
    const needed = Math.max(atLeast, followed?.number ?? 0);
    const lookup: PendingLookup = { epoch: followed?.epoch, needed, result: find(hash, needed, followed) };
    pending.set(hash, lookup);
    const removePending = () => {
      if (pending.get(hash) === lookup) pending.delete(hash);
    };
    lookup.result.then(removePending, removePending);
    return lookup.result;
  }

  /** @param atLeast the number that the result must include, beyond what this replica knows itself */
  return async function lookUp(hash: string, atLeast = 0): Promise<LookupResult> {
    const followed = position.current();
    const needed = Math.max(atLeast, followed?.number ?? 0);
    const existing = pending.get(hash);
    if (existing !== undefined && existing.epoch === followed?.epoch && existing.needed >= needed) {
      const result = await existing.result;
      // After a failover that this replica has not noticed, numbers start again, and the result may be older than what the
      // caller has pulled. A lookup that starts now cannot be.
      if (result.number >= atLeast) return result;
    }
    return send(hash, atLeast);
  };
}

export type Lookup = ReturnType<typeof createLookup>;
