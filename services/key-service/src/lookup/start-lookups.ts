import { MAX_HASHES_PER_LOOKUP } from '@cellarman/contracts';
import { coalesceRequests } from '@cellarman/concurrency';
import type { Telemetry } from '@cellarman/telemetry';
import type { Redis } from 'ioredis';
import type { ChangesRepository } from '../changes/changes-repository.ts';
import type { Position } from '../changes/epoch.ts';
import { createPull, followChanges } from './follow-changes.ts';
import { createFollowedPosition } from './followed-position.ts';
import type { Config } from '../config.ts';
import type { Queryable } from '../postgres/database.ts';
import { findKeys } from './find-keys.ts';
import { createKeyCache } from './key-cache.ts';
import { createLookup } from './lookup.ts';
import { createRecordSeal } from './record-seal.ts';
import { observeLookups } from './observe-lookups.ts';
import { createUnknownKeys } from './unknown-keys.ts';

/** A key without a lookup in this time expires from Redis. */
const ENTRY_SECONDS = 3_600;
const UNKNOWN_KEEP_MS = 10_000;
const UNKNOWN_MAX = 10_000;

/** Statements with lookups at a time. A flood of unknown keys makes them larger, not more. */
const MAX_STATEMENTS = 2;

/** Puts the lookup together and begins to follow the changes. */
export function startLookups(parts: {
  database: Queryable;
  changes: Pick<ChangesRepository, 'after'>;
  redis: Redis;
  /** Authenticates what is cached. */
  cacheSecret: string;
  config: Pick<Config, 'REDIS_PREFIX' | 'KEY_STALE_MAX_SECONDS' | 'KEY_PULL_INTERVAL_MS'>;
  telemetry: Pick<Telemetry, 'logger' | 'meter'>;
  /** Called after each pull with the milliseconds since the last that succeeded. */
  onPull: (ageMs: number) => void;
}) {
  const { database, changes, redis, cacheSecret, config, telemetry, onPull } = parts;
  const clock = () => performance.now();
  const position = createFollowedPosition({ clock, maxAgeMs: config.KEY_STALE_MAX_SECONDS * 1_000 });
  const { onLookup, onCacheCommand, onCacheError, onForgedEntry, onCacheRecovered } = observeLookups(
    telemetry,
    position,
  );
  const cache = createKeyCache({
    redis,
    prefix: config.REDIS_PREFIX,
    seal: createRecordSeal({ secret: cacheSecret }),
    entrySeconds: ENTRY_SECONDS,
    onCommand: onCacheCommand,
    onError: onCacheError,
    onForged: onForgedEntry,
    onRecovered: onCacheRecovered,
  });
  const lookUp = createLookup({
    position,
    cache,
    unknownKeys: createUnknownKeys({ clock, keepMs: UNKNOWN_KEEP_MS, maxEntries: UNKNOWN_MAX }),
    findKey: coalesceRequests({
      send: (hashes: readonly string[]) => findKeys(database, hashes),
      maxBatch: MAX_HASHES_PER_LOOKUP,
      maxInFlight: MAX_STATEMENTS,
    }),
    onLookup,
  });
  const following = followChanges({
    pull: createPull({ changes, cache, position }),
    intervalMs: config.KEY_PULL_INTERVAL_MS,
    logger: telemetry.logger,
    onPull: () => onPull(position.age()),
  });

  return {
    lookUp,
    /** This replica has committed a change: lookups include it from now on. */
    committed: (reached: Position) => {
      position.committed(reached);
      following.pullNow();
    },
    stop: () => following.stop(),
  };
}
