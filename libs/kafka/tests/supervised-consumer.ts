import { setTimeout as delay } from 'node:timers/promises';
import { expect } from 'vitest';
import { fetchLogBounds } from '../src/consumer/start-offsets.ts';
import { ConsumerError, createKafkaConsumer } from '../src/index.ts';
import type { ConsumerErrorCode, ConsumerPort, KafkaConnection } from '../src/index.ts';
import { randomName } from './test-topic.ts';

/** A consumer that is restarted whenever it ends by itself, as the supervisor does with the process. */
export function supervisedConsumer(connection: KafkaConnection, topic: string) {
  const groupId = randomName('group');
  const delivered: { partition: number; offset: bigint }[] = [];
  const ends: (ConsumerErrorCode | 'unknown')[] = [];
  let stopping = false;
  let consumer: ConsumerPort;

  const running = (async () => {
    while (!stopping) {
      consumer = createKafkaConsumer({
        connection,
        topic,
        groupId,
        timing: { sessionTimeoutMs: 6_000, heartbeatIntervalMs: 500, stallTimeoutMs: 15_000 },
        handler: {
          onBatch: async ({ partition, messages, nextOffset }) => {
            for (const { offset } of messages) delivered.push({ partition, offset: BigInt(offset) });
            await consumer.commit(new Map([[partition, nextOffset]])).catch(() => undefined);
          },
        },
      });
      try {
        await consumer.start();
        await consumer.done;
      } catch (error) {
        ends.push(error instanceof ConsumerError ? error.code : 'unknown');
        await delay(200);
      }
    }
  })();
  return {
    ends,
    /** How many records were delivered, each counted once. */
    count: () => new Set(delivered.map(({ partition, offset }) => `${partition}@${offset}`)).size,
    /** What was delivered again may go back, but nothing may go ahead of what comes next. */
    expectNoGap: () => {
      for (const [, ofPartition] of Map.groupBy(delivered, ({ partition }) => partition)) {
        let next = 0n;
        for (const { offset } of ofPartition) {
          expect(offset).toBeLessThanOrEqual(next);
          if (offset === next) next++;
        }
      }
    },
    stop: async () => {
      stopping = true;
      await consumer.stop();
      await running;
    },
  };
}

export async function recordsIn(connection: KafkaConnection, topic: string): Promise<number> {
  const bounds = await fetchLogBounds(connection, topic);
  return [...bounds.values()].reduce((sum, { low, high }) => sum + Number(high - low), 0);
}
