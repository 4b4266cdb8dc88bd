import type { Change, ChangesResponse, LookupResult } from '@cellarman/contracts';
import fc from 'fast-check';
import type { Scheduler } from 'fast-check';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createKeys } from '../../src/key-cache/keys.ts';
import type { KnownKey } from '../../src/key-cache/known-key.ts';
import { silent } from '../ingest-app.ts';
import { keyRecord } from '../../../../libs/key-service-client/tests/key-record.ts';

const HASHES = ['a', 'b'].map((letter) => letter.repeat(64));
const INTERVAL_MS = 10;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
});
afterEach(() => {
  vi.useRealTimers();
});

type Operation =
  | { do: 'find' | 'revoke' | 'touch'; key: number }
  | { do: 'touch cellar' | 'tick' | 'pause' | 'forget history' | 'new epoch'; key?: never };

const key = fc.nat({ max: HASHES.length - 1 });
const operation: fc.Arbitrary<Operation> = fc.oneof(
  { weight: 6, arbitrary: fc.record({ do: fc.constant('find' as const), key }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constantFrom('revoke' as const, 'touch' as const), key }) },
  { weight: 4, arbitrary: fc.constant({ do: 'tick' as const }) },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constantFrom(
        'touch cellar' as const,
        'pause' as const,
        'forget history' as const,
        'new epoch' as const,
      ),
    }),
  },
);

/** The true state, and a network that delivers requests and responses in any order. */
function createHarness(scheduler: Scheduler) {
  let epoch = 'e';
  let oldestKnown = 0;
  const changes: Change[] = [];
  /** By key: the change that revoked it. */
  const revokedBy = new Map<string, { epoch: string; number: number }>();
  let delivered = { epoch, number: -1 };

  async function travel(what: string): Promise<void> {
    await scheduler.schedule(Promise.resolve(), what);
  }
  function change(hash: string): void {
    changes.push({ number: changes.length + 1, kind: 'key', hash });
  }

  return {
    touch: change,
    touchCellar: () => changes.push({ number: changes.length + 1, kind: 'cellar', cellar: 'demo' }),
    revoke(hash: string): void {
      change(hash);
      if (!revokedBy.has(hash)) revokedBy.set(hash, { epoch, number: changes.length });
    },
    /** A replica that has not pulled every change has missed some. */
    forgetHistory(): void {
      changes.push({ number: changes.length + 1, kind: 'cellar', cellar: 'other' });
      oldestKnown = changes.length;
    },
    newEpoch(): void {
      epoch += 'e';
      oldestKnown = changes.length;
    },
    /** Whether the last completed pull included the revocation. */
    isToldOf(hash: string): boolean {
      const revoked = revokedBy.get(hash);
      if (revoked === undefined) return false;
      // Epochs grow by a letter, so a longer one is a later one.
      const later = delivered.epoch.length - revoked.epoch.length;
      return later > 0 || (later === 0 && revoked.number <= delivered.number);
    },
    lastDelivered: { epoch, number: -1 },
    pulled(): void {
      delivered = this.lastDelivered;
    },
    async lookUp(hash: string, leave: () => number): Promise<LookupResult> {
      await travel('lookup waits for others');
      leave();
      await travel('lookup goes');
      const revoked = revokedBy.has(hash) ? '2026-01-01T00:00:00Z' : null;
      const answer = { epoch, number: changes.length, key: keyRecord({ hash, revokedAt: revoked }) };
      await travel('lookup comes back');
      return answer;
    },
    async changes(after: number): Promise<ChangesResponse> {
      await travel('pull goes');
      const complete = after < 0 || (after >= oldestKnown && after <= changes.length);
      // Small pages, so that a pull has several of them.
      const page = after < 0 || !complete ? [] : changes.slice(after, after + 2);
      const number = page.at(-1)?.number ?? changes.length;
      const answer = { epoch, number, complete, more: complete && number < changes.length, changes: page };
      await travel('pull comes back');
      this.lastDelivered = answer;
      return answer;
    },
  };
}

it(
  'a revoked key is never accepted once its change was pulled, in whatever order requests and responses arrive',
  { timeout: 60_000 },
  async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.scheduler(),
        fc.array(operation, { maxLength: 60, size: 'max' }),
        async (scheduler, operations) => {
          let now = 0;
          const harness = createHarness(scheduler);
          const keys = createKeys({
            keyService: {
              lookUp: (hash, leave) => harness.lookUp(hash, leave),
              changes: (after) => harness.changes(after),
            },
            pullIntervalMs: INTERVAL_MS,
            staleMaxMs: 60_000,
            maxKeys: 10,
            logger: silent,
            monotonic: () => now,
            onPulled: (error) => {
              if (error === undefined) harness.pulled();
            },
          });
          const wronglyAccepted: string[] = [];
          const found: Promise<unknown>[] = [];
          keys.start();

          function find(hash: string): void {
            const mustKnow = harness.isToldOf(hash);
            const judge = (known: KnownKey | null) => {
              if (mustKnow && known !== null && !known.revoked) wronglyAccepted.push(hash);
            };
            const result = keys.find(hash);
            if (result instanceof Promise) found.push(result.then(judge, () => undefined));
            else judge(result);
          }

          function perform(step: Operation): void {
            if (step.do === 'tick') vi.advanceTimersByTime(INTERVAL_MS);
            else if (step.do === 'pause') now += 3_000;
            else if (step.do === 'touch cellar') harness.touchCellar();
            else if (step.do === 'forget history') harness.forgetHistory();
            else if (step.do === 'new epoch') harness.newEpoch();
            else {
              const hash = HASHES[step.key ?? 0] ?? '';
              if (step.do === 'find') find(hash);
              else if (step.do === 'revoke') harness.revoke(hash);
              else harness.touch(hash);
            }
          }

          // The operations happen between the steps of the network, as chance has it.
          const { task } = scheduler.scheduleSequence(
            operations.map((step) => ({ label: JSON.stringify(step), builder: async () => perform(step) })),
          );
          await scheduler.waitFor(task);
          await scheduler.waitFor(Promise.all(found));
          keys.stop();
          expect(wronglyAccepted).toEqual([]);
        },
      ),
      { numRuns: 2_000 },
    );
  },
);
