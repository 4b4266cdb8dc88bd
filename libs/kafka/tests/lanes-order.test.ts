import fc from 'fast-check';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createLanes, ProduceError } from '../src/index.ts';
import type { BaseOffsets, PartitionMessages, ProducerPort } from '../src/index.ts';
import { keyOf } from './scripted-producer.ts';

const PARTITIONS = 4;
const KEYS = Array.from({ length: PARTITIONS }, (_, partition) => keyOf(partition, PARTITIONS));

/** How one send goes: which of its partitions the broker stores, which it acknowledges, and how long it takes. */
const answers = fc.infiniteStream(
  fc.record({
    stored: fc.nat({ max: 2 ** PARTITIONS - 1 }),
    acknowledged: fc.nat({ max: 2 ** PARTITIONS - 1 }),
    delayMs: fc.nat({ max: 200 }),
    leaders: fc.tuple(...KEYS.map(() => fc.integer({ min: 1, max: 3 }))),
  }),
);
type Answer = typeof answers extends fc.Arbitrary<fc.Stream<infer A>> ? A : never;
const publishes = fc.array(
  fc.record({
    partition: fc.nat({ max: PARTITIONS - 1 }),
    pauseMs: fc.nat({ max: 40 }),
    // Published with the one before, as a group.
    joins: fc.boolean(),
  }),
  {
    maxLength: 60,
  },
);

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

it('never reorders a partition, loses nothing it acknowledged, and gives every byte back', async () => {
  await fc.assert(
    fc.asyncProperty(publishes, answers, async (messages, script) => {
      const log: number[][] = KEYS.map(() => []);
      const inFlight = new Set<number>();
      let leaders: readonly number[] = [1, 1, 2, 2];
      const send = async (_topic: string, batches: readonly PartitionMessages[]): Promise<BaseOffsets> => {
        const { value: answer } = script.next() as IteratorYieldResult<Answer>;
        const failed: number[] = [];
        const offsets = new Map<number, number>();
        for (const { partition } of batches) {
          expect(inFlight.has(partition)).toBe(false);
          inFlight.add(partition);
        }
        await new Promise((resolve) => setTimeout(resolve, answer.delayMs));
        for (const { partition, messages: sent } of batches) {
          const acknowledged = (answer.acknowledged >> partition) % 2 === 1;
          if (acknowledged || (answer.stored >> partition) % 2 === 1) {
            offsets.set(partition, log[partition]?.length ?? 0);
            log[partition]?.push(...sent.map(({ value }) => Number(value.toString())));
          }
          if (!acknowledged) failed.push(partition);
          inFlight.delete(partition);
        }
        leaders = answer.leaders;
        if (failed.length > 0) {
          throw new ProduceError('lost', { code: 'unreachable', retriable: true, partitions: failed });
        }
        return offsets;
      };
      const producer: ProducerPort = {
        connect: () => Promise.resolve(),
        disconnect: () => Promise.resolve(),
        leaders: () => leaders,
        send,
      };
      const limits = { maxInFlightBytes: 1_000_000, maxBatchMessages: 7 };
      const lanes = createLanes({ producer, topic: 't', limits, deadlineMs: 4_000 });
      const acknowledged: { partition: number; id: number }[] = [];
      const outcomes: Promise<unknown>[] = [];
      let group: { partition: number; id: number }[] = [];
      const publishGroup = (members: typeof group) => {
        const sent = members.map(({ partition, id }) => ({
          key: KEYS[partition] ?? '',
          value: Buffer.from(String(id)),
        }));
        const published = lanes.publishGroup(sent).then(({ acknowledged: count, failures }) => {
          const stored = members.filter((_, place) => !failures.has(place));
          expect(stored).toHaveLength(count);
          acknowledged.push(...stored);
        });
        outcomes.push(published);
      };
      for (const [id, { partition, pauseMs, joins }] of messages.entries()) {
        if (joins) {
          group.push({ partition, id });
          continue;
        }
        if (group.length > 0) publishGroup(group);
        group = [];
        const published = lanes.publish(KEYS[partition] ?? '', Buffer.from(String(id)));
        outcomes.push(published.then(() => acknowledged.push({ partition, id })).catch(() => undefined));
        await vi.advanceTimersByTimeAsync(pauseMs);
      }
      publishGroup(group);
      await vi.advanceTimersByTimeAsync(10_000);
      await Promise.all(outcomes);

      expect(lanes.stats()).toMatchObject({ heldBytes: 0, waitingMessages: 0, sendsInFlight: 0 });
      expect(vi.getTimerCount()).toBe(0);
      for (const { partition, id } of acknowledged) expect(log[partition]).toContain(id);
      // Copies of a repeated send may follow, but a message first appears after all that came before it.
      for (const entries of log)
        expect([...new Set(entries)]).toEqual([...new Set(entries)].toSorted((a, b) => a - b));
    }),
    { numRuns: 200 },
  );
});
