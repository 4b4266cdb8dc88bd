import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { fetchLogBounds } from '../src/consumer/start-offsets.ts';
import { ConsumerError, createKafkaConsumer, createKafkaProducer, createLanes } from '../src/index.ts';
import type { ConsumerErrorCode, ConsumerPort, KafkaConnection, Lanes, ProducerPort } from '../src/index.ts';
import { startKafkaCluster } from './kafka-cluster.ts';
import type { KafkaCluster } from './kafka-cluster.ts';
import { connectTo, createTestTopic, randomName } from './test-topic.ts';

const WAIT = { timeout: 90_000, interval: 100 };
let cluster: KafkaCluster;
let connection: KafkaConnection;
let topic: string;
let producer: ProducerPort;
let lanes: Lanes;

beforeAll(async () => {
  cluster = await startKafkaCluster(1);
  connection = connectTo(cluster.brokers);
  topic = await createTestTopic(connection);
  producer = createKafkaProducer({ connection, topics: [topic] });
  await producer.connect();
  lanes = createLanes({ producer, topic, limits: { maxInFlightBytes: 8_000_000 }, deadlineMs: 60_000 });
});

afterAll(async () => {
  await lanes.close(1_000);
  await producer.disconnect();
  await cluster.stop();
});

/** A consumer that is started anew whenever it ends by itself, as the supervisor does with the process. */
function supervised(groupId: string) {
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
    delivered,
    stop: async () => {
      stopping = true;
      await consumer.stop();
      await running;
    },
  };
}

async function publish(count: number): Promise<void> {
  await Promise.all(
    Array.from({ length: count }, (_, i) => lanes.publish(randomName(String(i)), Buffer.from('x'))),
  );
}

async function recordsIn(wanted: string): Promise<number> {
  const bounds = await fetchLogBounds(connection, wanted);
  return [...bounds.values()].reduce((sum, { low, high }) => sum + Number(high - low), 0);
}

it.each([
  {
    trouble: 'hangs',
    begin: async () => cluster.signal(1, 'SIGSTOP'),
    end: async () => cluster.signal(1, 'SIGCONT'),
  },
  { trouble: 'is killed', begin: () => cluster.kill(1), end: () => cluster.start(1) },
])('a broker that $trouble ends the consumer at most; it goes on without a gap', async ({ begin, end }) => {
  const reader = supervised(randomName('group'));
  await publish(500);
  await vi.waitFor(() => expect(reader.count()).toBeGreaterThanOrEqual(500), WAIT);

  await begin();
  const published = publish(500);
  // How long the trouble lasts: longer than the session.
  await delay(8_000);
  await end();
  await published;
  await publish(500);

  await vi.waitFor(async () => expect(reader.count()).toBe(await recordsIn(topic)), WAIT);
  await reader.stop();

  for (const code of reader.ends) expect(['crashed', 'stalled']).toContain(code);
  for (const [, ofPartition] of Map.groupBy(reader.delivered, ({ partition }) => partition)) {
    let next = 0n;
    for (const { offset } of ofPartition) {
      expect(offset).toBeLessThanOrEqual(next);
      if (offset === next) next++;
    }
  }
});
