import type { Position } from '../changes/epoch.ts';

/**
 * Negative cache of hashes that PostgreSQL does not have, so that a device with a wrong key does not cost a query each time.
 *
 * Any later change invalidates an entry, which makes a new key valid immediately. The entries are in the memory of this replica
 * and bounded: requests with invalid keys must evict nothing from Redis.
 */
export function createUnknownKeys(options: { clock: () => number; keepMs: number; maxEntries: number }) {
  const { clock, keepMs, maxEntries } = options;
  const entries = new Map<string, { includes: Position; until: number }>();

  return {
    /** What the database said, if it said it at or after the given position. */
    find(hash: string, needed: Position): Position | undefined {
      const entry = entries.get(hash);
      if (entry === undefined) return undefined;
      const { includes, until } = entry;
      if (clock() < until && includes.epoch === needed.epoch && includes.number >= needed.number)
        return includes;
      entries.delete(hash);
      return undefined;
    },

    remember(hash: string, includes: Position) {
      entries.delete(hash);
      entries.set(hash, { includes, until: clock() + keepMs });
      const [oldest] = entries.keys();
      if (entries.size > maxEntries && oldest !== undefined) entries.delete(oldest);
    },
  };
}

export type UnknownKeys = ReturnType<typeof createUnknownKeys>;
