import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { createKafkaProducer, createLanes } from '../src/index.ts';
import type { KafkaConnection, Lanes, ProducerPort } from '../src/index.ts';
import { startKafkaCluster } from './kafka-cluster.ts';
import type { KafkaCluster } from './kafka-cluster.ts';
import { recordsIn, supervisedConsumer } from './supervised-consumer.ts';
import { connectTo, createTestTopic, randomName } from './test-topic.ts';

// Brokers take their time on a busy machine.
vi.setConfig({ testTimeout: 240_000 });

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

async function publish(count: number): Promise<void> {
  await Promise.all(
    Array.from({ length: count }, (_, i) => lanes.publish(randomName(String(i)), Buffer.from('x'))),
  );
}

it.each([
  {
    trouble: 'hangs',
    begin: async () => cluster.signal(1, 'SIGSTOP'),
    end: async () => cluster.signal(1, 'SIGCONT'),
  },
  { trouble: 'is killed', begin: () => cluster.kill(1), end: () => cluster.start(1) },
])('a broker that $trouble ends the consumer at most; it goes on without a gap', async ({ begin, end }) => {
  const reader = supervisedConsumer(connection, topic);
  await publish(500);
  await vi.waitFor(() => expect(reader.count()).toBeGreaterThanOrEqual(500), WAIT);

  await begin();
  const published = publish(500);
  // How long the trouble lasts: longer than the session.
  await delay(8_000);
  await end();
  await published;
  await publish(500);

  await vi.waitFor(async () => expect(reader.count()).toBe(await recordsIn(connection, topic)), WAIT);
  await reader.stop();

  for (const code of reader.ends) expect(['crashed', 'stalled']).toContain(code);
  reader.expectNoGap();
});
