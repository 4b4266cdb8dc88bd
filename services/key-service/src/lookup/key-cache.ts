import { randomUUID } from 'node:crypto';
import type { Redis } from 'ioredis';
import type { Change, KeyRecord } from '@cellarman/contracts';
import type { Position } from '../changes/epoch.ts';
import { SCRIPTS } from './key-cache-scripts.ts';
import type { RecordSeal } from './record-seal.ts';

/** What Redis says about itself. All empty and 0 in a new Redis. */
export interface CacheState {
  epoch: string;
  /** Every change up to here is taken into account. */
  applied: number;
  /** Replaced by each reset, which invalidates all earlier entries. It belongs to one epoch. */
  generation: string;
}

export interface CacheResult {
  state: CacheState;
  key: KeyRecord | undefined;
}

export interface KeyCacheOptions {
  redis: Redis;
  /** Stands before each name in Redis. */
  prefix: string;
  seal: RecordSeal;
  /** How long an entry is kept. It bounds the memory; that an entry is right does not depend on it. */
  entrySeconds: number;
  /** Called after each command with the milliseconds that it took, also when it failed. */
  onCommand?: (durationMs: number) => void;
  onError?: (error: unknown) => void;
  /** Called when an entry is rejected that is not one of ours. */
  onForged?: (error: unknown) => void;
  /** Called when Redis responds again after an error. */
  onRecovered?: () => void;
}

/** The names in Redis: the state, and the entry of a hash. */
export function keyCacheNames(prefix: string, seal: Pick<RecordSeal, 'namespace'>) {
  // The braces put all names into one slot of a Redis cluster, since the scripts touch several.
  const stem = `${prefix}{keys}:${seal.namespace}:`;
  return { state: `${stem}state`, entry: (hash: string) => `${stem}${hash}` };
}

/**
 * Cache of key records in Redis, shared by all replicas. README.md beside this file explains why a revoked key never comes back
 * from here.
 *
 * When Redis is down or slow, every function returns `undefined` or does nothing, immediately after the first failure. Only
 * `state`, which is called a few times a second, keeps trying.
 */
export function createKeyCache(options: KeyCacheOptions) {
  const { redis, prefix, seal, entrySeconds } = options;
  const { onCommand = () => {}, onError = () => {}, onForged = () => {}, onRecovered = () => {} } = options;
  const { state: stateName, entry: entryName } = keyCacheNames(prefix, seal);
  const scripts = defineScripts(redis);
  let usable = false;
  let failed = false;

  async function attempt<Result>(work: () => Promise<Result>): Promise<Result | undefined> {
    const begun = performance.now();
    try {
      return await work();
    } catch (error) {
      usable = false;
      failed = true;
      onError(error);
      return undefined;
    } finally {
      onCommand(performance.now() - begun);
    }
  }

  function open(text: string, hash: string): KeyRecord | undefined {
    try {
      return seal.open(text, hash);
    } catch (error) {
      onForged(error);
      return undefined;
    }
  }

  return {
    async state(): Promise<CacheState | undefined> {
      return attempt(async () => {
        const fields = await redis.hmget(stateName, 'epoch', 'applied', 'generation');
        usable = true;
        if (failed) onRecovered();
        failed = false;
        return toState(fields);
      });
    },

    /** The entry, and the state of Redis at the same moment. */
    async read(hash: string): Promise<CacheResult | undefined> {
      if (!usable) return undefined;
      return attempt(async () => {
        const [record, ...state] = await scripts.read([stateName, entryName(hash)], []);
        return {
          state: toState(state),
          key: typeof record === 'string' ? open(record, hash) : undefined,
        };
      });
    },

    /** Caches a result of PostgreSQL, unless Redis has applied a later change since `seen` was read. */
    async write(seen: CacheState, key: KeyRecord, includes: Position): Promise<void> {
      if (!usable || seen.epoch !== includes.epoch) return;
      await attempt(() =>
        scripts.write(
          [stateName, entryName(key.hash)],
          [seen.generation, includes.number, key.cellar, seal.seal(key, entrySeconds), entrySeconds],
        ),
      );
    },

    /**
     * Takes changes into account that follow `from` without a gap.
     *
     * @returns false if nothing was done, because another replica was faster or Redis is unreachable
     */
    async apply(from: CacheState, to: number, changes: readonly Change[]): Promise<boolean> {
      const hashes = changes.flatMap((change) => (change.kind === 'key' ? [change.hash] : []));
      const cellars = changes.flatMap((change) => (change.kind === 'cellar' ? [change.cellar] : []));
      const done = await attempt(() =>
        scripts.apply(
          [stateName, ...new Set(hashes.map(entryName))],
          [from.generation, from.applied, to, ...new Set(cellars)],
        ),
      );
      return done?.[0] === 'done';
    },

    /** Forgets everything and starts at the given position. Does nothing if another replica was faster. */
    async reset(from: CacheState, to: Position): Promise<void> {
      await attempt(() => scripts.reset([stateName], [from.generation, randomUUID(), to.epoch, to.number]));
    },
  };
}

export type KeyCache = ReturnType<typeof createKeyCache>;

function toState([epoch, applied, generation]: readonly (string | null | undefined)[]): CacheState {
  return { epoch: epoch ?? '', applied: Number(applied ?? 0), generation: generation ?? '' };
}

type Run = (keys: readonly string[], values: readonly (string | number)[]) => Promise<(string | null)[]>;

/** ioredis sends the hash of a script, and its text only to a Redis that does not know it yet. */
function defineScripts(redis: Redis): Record<keyof typeof SCRIPTS, Run> {
  const define = (name: keyof typeof SCRIPTS): Run => {
    const command = `keyCache:${name}`;
    redis.defineCommand(command, { lua: SCRIPTS[name] });
    const commands = redis as unknown as Record<string, (...values: (string | number)[]) => ReturnType<Run>>;
    return async (keys, values) => {
      const run = commands[command];
      if (run === undefined) throw new Error(`ioredis has not defined ${command}`);
      return run.call(redis, keys.length, ...keys, ...values);
    };
  };
  return { read: define('read'), write: define('write'), apply: define('apply'), reset: define('reset') };
}
