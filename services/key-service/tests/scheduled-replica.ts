import type fc from 'fast-check';
import type { Redis } from 'ioredis';
import type { Position } from '../src/changes/epoch.ts';
import { createPull } from '../src/lookup/follow-changes.ts';
import { createFollowedPosition } from '../src/lookup/followed-position.ts';
import { createKeyCache, keyCacheNames } from '../src/lookup/key-cache.ts';
import type { KeyCache } from '../src/lookup/key-cache.ts';
import { createLookup } from '../src/lookup/lookup.ts';
import { createRecordSeal } from '../src/lookup/record-seal.ts';
import { createUnknownKeys } from '../src/lookup/unknown-keys.ts';
import type { ModelDatabase } from './model-database.ts';

const seal = createRecordSeal({ secret: 'secret-of-the-replicas' });

/** All names of these replicas in Redis. */
export function cacheNames(prefix: string, hashes: readonly string[]): string[] {
  const names = keyCacheNames(prefix, seal);
  return [names.state, ...hashes.map(names.entry)];
}

/** The parts of one replica as the product puts them together, with a pause before and after every step outside. */
export function createScheduledReplica(options: {
  redis: Redis;
  scheduler: fc.Scheduler;
  database: ModelDatabase;
  prefix: string;
  onRedisResponse: () => void;
}) {
  const { redis, scheduler, database, prefix, onRedisResponse } = options;
  const underWay = new Set<Promise<unknown>>();
  const paused =
    <Values extends unknown[], Result>(
      label: string,
      step: (...values: Values) => Promise<Result> | Result,
    ) =>
    (...values: Values): Promise<Result> => {
      const running = (async () => {
        await scheduler.schedule(Promise.resolve(), `${label} goes out`);
        const result = await step(...values);
        await scheduler.schedule(Promise.resolve(), `${label} comes back`);
        return result;
      })();
      underWay.add(running);
      const done = () => underWay.delete(running);
      running.then(done, done);
      return running;
    };

  let time = 0;
  const clock = () => (time += 1);
  const position = createFollowedPosition({ clock, maxAgeMs: 1_000_000 });
  const real = createKeyCache({
    redis,
    prefix,
    seal,
    entrySeconds: 60,
    onError: (error) => {
      throw error;
    },
    onForged: (error) => {
      throw error;
    },
  });
  const cache = {
    state: paused('state', () => real.state()),
    read: paused('read', (hash: string) => real.read(hash)),
    write: paused('write', (...values: Parameters<KeyCache['write']>) => real.write(...values)),
    apply: paused('apply', (...values: Parameters<KeyCache['apply']>) => real.apply(...values)),
    reset: paused('reset', (...values: Parameters<KeyCache['reset']>) => real.reset(...values)),
  };
  const pull = createPull({
    changes: { after: paused('changes', (after: number) => database.after(after)) },
    cache,
    position,
  });
  let pulling = Promise.resolve();
  let committed: Position | undefined;

  return {
    position,
    /** It has made the last change itself. */
    commit() {
      committed = database.position();
      position.committed(committed);
    },
    committed: () => committed,
    /** One at a time, as the product does. */
    pull: () => (pulling = pulling.then(pull)),
    lookUp: createLookup({
      position,
      cache,
      unknownKeys: createUnknownKeys({ clock, keepMs: 1_000_000, maxEntries: 100 }),
      findKey: paused('findKey', (hash: string) => database.findKey(hash)),
      onLookup: (source) => {
        if (source === 'redis') onRedisResponse();
      },
    }),
    settle: () => Promise.all(underWay),
  };
}
