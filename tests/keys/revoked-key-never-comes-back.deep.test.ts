import fc from 'fast-check';
import { Redis } from 'ioredis';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { CELLARS, createHarness, HASHES } from './harness.ts';

type Harness = ReturnType<typeof createHarness>;
type Act = (harness: Harness) => Promise<void> | void;

const cellarOf = (hash: string) => CELLARS[Number(hash[0]) % 2] ?? 'a';
const hash = fc.constantFrom(...HASHES);
const replica = fc.nat({ max: 1 });

/** An act that prints itself, so that a counterexample can be read. */
function act<Values extends unknown[]>(
  name: string,
  arbitrary: fc.Arbitrary<Values>,
  perform: (harness: Harness, ...values: Values) => Promise<void> | void,
): fc.Arbitrary<Act> {
  return arbitrary.map((values) =>
    Object.assign((harness: Harness) => perform(harness, ...values), {
      toString: () => `${name}(${values.map(String).join(', ')})`,
    }),
  );
}

const change = act('change', fc.tuple(hash, fc.option(replica)), (harness, hash, replica) => {
  harness.database.change(hash, cellarOf(hash));
  if (replica !== null) harness.commit(replica);
});
const find = act('find', fc.tuple(replica, hash), (harness, replica, hash) => harness.find(replica, hash));
const timePasses = act('time passes', fc.tuple(replica), (harness, replica) => harness.timePasses(replica));
const pull = act('pull', fc.tuple(replica), (harness, replica) => harness.pull(replica));
const misfortune = fc.oneof(
  act('change cellar', fc.tuple(fc.constantFrom(...CELLARS)), ({ database }, cellar) =>
    database.changeCellar(cellar),
  ),
  act('prune', fc.tuple(fc.nat({ max: 3 })), ({ database }, keep) => database.prune(keep)),
  act('restore backup', fc.tuple(fc.nat({ max: 2 })), (harness, back) => harness.restoreBackup(back)),
  act('flush Redis', fc.tuple(), ({ snapshots }) => snapshots.flush()),
  act('take snapshot of Redis', fc.tuple(), ({ snapshots }) => snapshots.take()),
  act('put Redis back', fc.tuple(), ({ snapshots }) => snapshots.restore()),
  act('evict', fc.tuple(fc.nat({ max: 9 })), ({ snapshots }, which) => snapshots.evict(which)),
);
const acts = fc.array(
  fc.oneof(
    { weight: 8, arbitrary: find },
    { weight: 4, arbitrary: change },
    { weight: 4, arbitrary: timePasses },
    { weight: 4, arbitrary: pull },
    { weight: 2, arbitrary: misfortune },
  ),
  { minLength: 3, maxLength: 25, size: 'max' },
);
/** What several do at the same time, each one thing after the other. */
const actors = fc.array(acts, { minLength: 2, maxLength: 4 });

let redis: Redis;
beforeAll(() => {
  redis = new Redis(inject('engines').redisUrl);
});
afterAll(() => redis.disconnect());

test('from PostgreSQL to ingest: a replica that knows of a change never accepts the key as it was before', async () => {
  const total = { answers: 0, fromRedis: 0 };
  await fc.assert(
    fc.asyncProperty(fc.scheduler(), actors, async (scheduler, actors) => {
      const harness = createHarness(scheduler, redis);
      const [first = ''] = HASHES;
      harness.database.change(first, cellarOf(first));
      const play = async (acts: readonly Act[]) => {
        for (const perform of acts) {
          await scheduler.schedule(Promise.resolve(), perform.toString());
          await perform(harness);
        }
      };
      await scheduler.waitFor(Promise.all(actors.map(play)));
      await scheduler.waitFor(harness.settle());
      await harness.end();
      const { answers, fromRedis } = harness.counts();
      total.answers += answers;
      total.fromRedis += fromRedis;
      expect(harness.faults).toEqual([]);
    }),
    { numRuns: 300, plugins: [fc.interruptAfterTimeLimit(40_000)] },
  );
  // Otherwise this test would say nothing about copies in Redis.
  expect(total.fromRedis).toBeGreaterThan(0);
}, 180_000);
