import type { Position } from '../changes/epoch.ts';

/**
 * Hashes that PostgreSQL did not know, so that a device with a wrong key does not ask it each time.
 *
 * An answer counts only while nothing at all has changed since, which makes a new key valid at once. It lives in the
 * memory of this replica and is bounded: what strangers send must push nothing out of Redis.
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
