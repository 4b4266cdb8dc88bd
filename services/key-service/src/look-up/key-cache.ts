import { randomUUID } from 'node:crypto';
import type { Redis } from 'ioredis';
import type { Change, KeyRecord } from '@cellarman/contracts';
import type { Position } from '../changes/epoch.ts';
import { SCRIPTS } from './key-cache-scripts.ts';

/** What Redis says about itself. All empty and 0 in a new Redis. */
export interface CacheState {
  epoch: string;
  /** Every change up to here is taken into account. */
  applied: number;
  /** Made anew by each reset: everything that was written before is worthless. It belongs to one epoch. */
  generation: string;
}

export interface CacheAnswer {
  state: CacheState;
  key: KeyRecord | undefined;
}

export interface KeyCacheOptions {
  redis: Redis;
  /** Stands before each name in Redis. */
  prefix: string;
  /** How long an entry is kept. It bounds the memory; that an entry is right does not depend on it. */
  entrySeconds: number;
  /** Called after each command with the milliseconds that it took, also when it failed. */
  onCommand?: (durationMs: number) => void;
  onError?: (error: unknown) => void;
  /** It answers again after an error. */
  onRecovered?: () => void;
}

/**
 * Copies of key records in Redis, shared by all replicas. README.md beside this file says why a revoked key never
 * comes back from here.
 *
 * When Redis is away or slow every function answers `undefined` or does nothing, at once after the first failure:
 * only `state`, which is asked a few times a second, goes on trying.
 */
export function createKeyCache(options: KeyCacheOptions) {
  const { redis, prefix, entrySeconds } = options;
  const { onCommand = () => {}, onError = () => {}, onRecovered = () => {} } = options;
  // The braces put all names into one slot of a Redis cluster, since the scripts touch several.
  const stateName = `${prefix}{keys}:state`;
  const entryName = (hash: string) => `${prefix}{keys}:${hash}`;
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
    async read(hash: string): Promise<CacheAnswer | undefined> {
      if (!usable) return undefined;
      return attempt(async () => {
        const [record, ...state] = await scripts.read([stateName, entryName(hash)], []);
        return {
          state: toState(state),
          key: typeof record === 'string' ? (JSON.parse(record) as KeyRecord) : undefined,
        };
      });
    },

    /** Keeps what PostgreSQL answered, unless Redis has moved past that answer since `seen` was read. */
    async write(seen: CacheState, key: KeyRecord, includes: Position): Promise<void> {
      if (!usable || seen.epoch !== includes.epoch) return;
      await attempt(() =>
        scripts.write(
          [stateName, entryName(key.hash)],
          [seen.generation, includes.number, key.cellar, JSON.stringify(key), entrySeconds],
        ),
      );
    },

    /**
     * Takes changes into account that follow `from` without a gap.
     *
     * @returns false if nothing was done, because another replica was faster or Redis is away
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
