import { randomBytes } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { Redis } from 'ioredis';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import type { Position } from '../src/changes/epoch.ts';
import { createPull } from '../src/changes/follow-changes.ts';
import { createFollowedPosition } from '../src/changes/followed-position.ts';
import { createKeyCache } from '../src/look-up/key-cache.ts';
import type { KeyCache } from '../src/look-up/key-cache.ts';
import { createLookUp } from '../src/look-up/look-up.ts';
import { createUnknownKeys } from '../src/look-up/unknown-keys.ts';
import { createModelDatabase } from './model-database.ts';
import type { ModelDatabase } from './model-database.ts';
import { createRedisSnapshots } from './redis-snapshots.ts';

const CELLARS = ['a', 'b'];
const HASHES = ['1', '2'].map((digit) => digit.repeat(64));
const cellarOf = (hash: string) => CELLARS[Number(hash[0]) % 2] ?? 'a';
const REPLICAS = 2;
const LENGTH = { minLength: 1, maxLength: 25, size: 'max' as const };

/** What people, replicas and misfortune do. */
type Act =
  | { type: 'change'; hash: string; replica: number | undefined }
  | { type: 'changeCellar'; cellar: string }
  | { type: 'prune'; keep: number }
  | { type: 'restoreBackup'; back: number }
  | { type: 'pull'; replica: number }
  | { type: 'lookUp'; hash: string; replica: number; atLeast: boolean }
  | { type: 'flushRedis' }
  | { type: 'takeSnapshot' }
  | { type: 'restoreSnapshot' }
  | { type: 'evict'; which: number };

const hash = fc.constantFrom(...HASHES);
const replica = fc.nat({ max: REPLICAS - 1 });
const misfortune: fc.Arbitrary<Act> = fc.oneof(
  fc.constant({ type: 'takeSnapshot' as const }),
  fc.constant({ type: 'restoreSnapshot' as const }),
  fc.constant({ type: 'flushRedis' as const }),
  fc.record({ type: fc.constant('evict' as const), which: fc.nat({ max: 9 }) }),
  fc.record({ type: fc.constant('prune' as const), keep: fc.nat({ max: 3 }) }),
  fc.record({ type: fc.constant('restoreBackup' as const), back: fc.nat({ max: 3 }) }),
);
const calm: fc.Arbitrary<Act> = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({ type: fc.constant('lookUp' as const), hash, replica, atLeast: fc.boolean() }),
  },
  { weight: 6, arbitrary: fc.record({ type: fc.constant('pull' as const), replica }) },
  {
    weight: 3,
    arbitrary: fc.record({
      type: fc.constant('change' as const),
      hash,
      replica: fc.option(replica, { nil: undefined }),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ type: fc.constant('changeCellar' as const), cellar: fc.constantFrom(...CELLARS) }),
  },
);
const stormy = fc.oneof({ weight: 6, arbitrary: calm }, { weight: 1, arbitrary: misfortune });
/** What several do at the same time, each one thing after the other. */
const actors = fc.oneof(
  ...[calm, stormy].map((act) => fc.array(fc.array(act, LENGTH), { minLength: 2, maxLength: 4 })),
);

let redis: Redis;
beforeAll(() => {
  redis = new Redis(inject('engines').redisUrl);
});
afterAll(() => redis.disconnect());

test('whatever happens in whatever order, an answer is true and includes what it must', async () => {
  let answers = 0;
  let fromRedis = 0;
  await fc.assert(
    fc.asyncProperty(fc.scheduler(), actors, async (scheduler, actors) => {
      const world = createWorld(scheduler, () => (fromRedis += 1));
      await scheduler.waitFor(world.begin());
      await scheduler.waitFor(Promise.all(actors.map((acts) => world.play(acts))));
      await scheduler.waitFor(world.settle());
      await world.end();
      answers += world.judgements.length;
      expect(world.judgements.filter(({ fault }) => fault !== undefined)).toEqual([]);
    }),
    // As many as fit; what fails is shrunk and printed with its seed.
    { numRuns: 2_000, interruptAfterTimeLimit: 10_000 },
  );
  // Otherwise this test would say nothing about the copies.
  expect(fromRedis).toBeGreaterThan(answers / 20);
});

interface Judgement {
  fault: string | undefined;
}

function createWorld(scheduler: fc.Scheduler, onRedisAnswer: () => void) {
  const prefix = `property:${randomBytes(6).toString('hex')}:`;
  const database = createModelDatabase();
  const names = ['state', ...HASHES].map((name) => `${prefix}{keys}:${name}`);
  const snapshots = createRedisSnapshots(redis, names);
  const replicas = Array.from({ length: REPLICAS }, () =>
    createReplica({ scheduler, database, prefix, onRedisAnswer }),
  );
  const judgements: Judgement[] = [];

  async function lookUp({ hash, replica, atLeast }: Extract<Act, { type: 'lookUp' }>): Promise<void> {
    const { position, committed, lookUp } = at(replicas, replica);
    const pulledByIngest = atLeast ? database.position() : undefined;
    const ownKnowledge = [position.current(), committed()];
    const answer = await lookUp(hash, pulledByIngest?.number);
    const needed = Math.max(
      ...[...ownKnowledge, pulledByIngest].map((it) => (it?.epoch === answer.epoch ? it.number : 0)),
    );
    const possible = database.statesSince(answer.epoch, answer.number, hash);
    const isTrue = possible.some((state) => isDeepStrictEqual(state, answer.key));
    const isOutdated = ownKnowledge.some(
      (it) => it !== undefined && database.isLater(it.epoch, answer.epoch),
    );
    judgements.push({
      fault: isOutdated
        ? `the answer comes from ${answer.epoch}, which was known to be over`
        : !isTrue
          ? `key ${hash[0]} was never ${JSON.stringify(answer.key)} at or after ${answer.number} of ${answer.epoch}`
          : needed > answer.number
            ? `the answer includes ${answer.number} and must include ${needed}`
            : undefined,
    });
  }

  async function perform(step: Act): Promise<void> {
    switch (step.type) {
      case 'change':
        database.change(step.hash, cellarOf(step.hash));
        if (step.replica !== undefined) at(replicas, step.replica).commit();
        return;
      case 'changeCellar':
        database.changeCellar(step.cellar);
        return;
      case 'prune':
        database.prune(step.keep);
        return;
      case 'restoreBackup':
        database.restoreBackup(step.back);
        return;
      case 'pull':
        return at(replicas, step.replica).pull();
      case 'lookUp':
        return lookUp(step);
      case 'flushRedis':
        return snapshots.flush();
      case 'takeSnapshot':
        return snapshots.take();
      case 'restoreSnapshot':
        return snapshots.restore();
      case 'evict':
        return snapshots.evict(step.which);
    }
  }

  return {
    judgements,
    /** One key exists, and every replica follows. */
    async begin() {
      const [hash = ''] = HASHES;
      database.change(hash, cellarOf(hash));
      for (const { pull } of replicas) await pull();
    },
    async play(acts: readonly Act[]) {
      for (const step of acts) {
        await scheduler.schedule(Promise.resolve(), step.type);
        await perform(step);
      }
    },
    /** Copies are written after an answer has gone out. */
    settle: () => Promise.all(replicas.map(({ settle }) => settle())),
    end: () => snapshots.flush(),
  };
}

/** The parts of one replica as the product puts them together, with a pause before and after every step outside. */
function createReplica(options: {
  scheduler: fc.Scheduler;
  database: ModelDatabase;
  prefix: string;
  onRedisAnswer: () => void;
}) {
  const { scheduler, database, prefix, onRedisAnswer } = options;
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
    entrySeconds: 60,
    onError: (error) => {
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
    lookUp: createLookUp({
      position,
      cache,
      unknownKeys: createUnknownKeys({ clock, keepMs: 1_000_000, maxEntries: 100 }),
      findKey: paused('findKey', (hash: string) => database.findKey(hash)),
      onAnswer: (source) => {
        if (source === 'redis') onRedisAnswer();
      },
    }),
    settle: () => Promise.all(underWay),
  };
}

function at<Item>(items: readonly Item[], index: number): Item {
  const item = items[index];
  if (item === undefined) throw new Error(`there is no item ${index}`);
  return item;
}
