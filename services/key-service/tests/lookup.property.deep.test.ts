import { randomBytes } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { Redis } from 'ioredis';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { createModelDatabase } from './model-database.ts';
import { createRedisSnapshots } from './redis-snapshots.ts';
import { cacheNames, createScheduledReplica } from './scheduled-replica.ts';

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
/**
 * A history that breaks off just before a change that one replica is about to apply, and continues with as many changes: only
 * the generation distinguishes the two. Random histories hardly ever contain it.
 */
const failOver: fc.Arbitrary<Act[][]> = fc
  .record({ lost: hash, kept: hash, late: replica, noise: fc.array(calm, { maxLength: 3 }) })
  .map(({ lost, kept, late, noise }) => {
    const early = (late + 1) % REPLICAS;
    const find: Act = { type: 'lookUp', hash: kept, replica: early, atLeast: false };
    return [
      [{ type: 'pull', replica: late }, ...noise],
      [
        { type: 'change', hash: lost, replica: undefined },
        { type: 'restoreBackup', back: 1 },
        { type: 'pull', replica: early },
        find,
        { type: 'change', hash: kept, replica: undefined },
        { type: 'pull', replica: early },
        find,
      ],
    ];
  });
/** What several do at the same time, each one thing after the other. */
const actors = fc.oneof(
  ...[calm, stormy].map((act) => fc.array(fc.array(act, LENGTH), { minLength: 2, maxLength: 4 })),
  failOver,
);

let redis: Redis;
beforeAll(() => {
  redis = new Redis(inject('engines').redisUrl);
});
afterAll(() => redis.disconnect());

test('whatever happens in whatever order, a response is true and includes what it must', async () => {
  let answers = 0;
  let fromRedis = 0;
  await fc.assert(
    fc.asyncProperty(fc.scheduler(), actors, async (scheduler, actors) => {
      const harness = createHarness(scheduler, () => (fromRedis += 1));
      await scheduler.waitFor(harness.begin());
      await scheduler.waitFor(Promise.all(actors.map((acts) => harness.play(acts))));
      await scheduler.waitFor(harness.settle());
      await harness.end();
      answers += harness.judgements.length;
      expect(harness.judgements.filter(({ fault }) => fault !== undefined)).toEqual([]);
    }),
    // As many as fit; what fails is shrunk and printed with its seed.
    { numRuns: 2_000, plugins: [fc.interruptAfterTimeLimit(10_000)] },
  );
  // Otherwise this test would say nothing about the copies.
  expect(fromRedis).toBeGreaterThan(answers / 20);
});

interface Judgement {
  fault: string | undefined;
}

function createHarness(scheduler: fc.Scheduler, onRedisResponse: () => void) {
  const prefix = `property:${randomBytes(6).toString('hex')}:`;
  const database = createModelDatabase();
  const snapshots = createRedisSnapshots(redis, cacheNames(prefix, HASHES));
  const replicas = Array.from({ length: REPLICAS }, () =>
    createScheduledReplica({ redis, scheduler, database, prefix, onRedisResponse }),
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
    /** Cache entries are written after the response. */
    settle: () => Promise.all(replicas.map(({ settle }) => settle())),
    end: () => snapshots.flush(),
  };
}

function at<Item>(items: readonly Item[], index: number): Item {
  const item = items[index];
  if (item === undefined) throw new Error(`there is no item ${index}`);
  return item;
}
