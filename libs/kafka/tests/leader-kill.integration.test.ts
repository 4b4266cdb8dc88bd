import { afterAll, afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { createKafkaProducer, createLanes } from '../src/index.ts';
import type { ConsumedMessage, KafkaConnection, Lanes, ProducerPort } from '../src/index.ts';
import { startKafkaCluster } from './kafka-cluster.ts';
import type { KafkaCluster } from './kafka-cluster.ts';
import { keyOf } from './scripted-producer.ts';
import { recordsIn, supervisedConsumer } from './supervised-consumer.ts';
import { connectTo, createTestTopic, readAll } from './test-topic.ts';

// Brokers take their time on a busy machine.
vi.setConfig({ testTimeout: 240_000 });

const WAIT = { timeout: 60_000, interval: 50 };
const PARTITIONS = 6;
const KEYS = Array.from({ length: PARTITIONS }, (_, partition) => keyOf(partition, PARTITIONS));
let cluster: KafkaCluster;
let connection: KafkaConnection;

beforeAll(async () => {
  cluster = await startKafkaCluster(3);
  connection = connectTo(cluster.brokers);
});

afterAll(() => cluster.stop());

let topic: string;
let producer: ProducerPort;
let lanes: Lanes;

beforeEach(async () => {
  const policy = { partitions: PARTITIONS, replicationFactor: 3, minInsyncReplicas: 2 };
  // A broker of the test before may still be on its way back.
  topic = await vi.waitFor(() => createTestTopic(connection, policy), WAIT);
  producer = createKafkaProducer({ connection, topics: [topic] });
  await producer.connect();
  lanes = createLanes({ producer, topic, limits: { maxInFlightBytes: 8_000_000 }, deadlineMs: 4_500 });
});

afterEach(async () => {
  await lanes.close(1_000);
  await producer.disconnect();
});

/** Every partition gets messages without pause, each with a number that only grows. */
function publishing() {
  const acknowledged = KEYS.map((): number[] => []);
  let on = true;
  const publishers = KEYS.flatMap((key, partition) => {
    let next = 0;
    return Array.from({ length: 5 }, async () => {
      while (on) {
        const id = next++;
        await lanes.publish(key, Buffer.from(String(id))).then(
          () => acknowledged[partition]?.push(id),
          () => undefined,
        );
      }
    });
  });
  const count = (partition: number): number => acknowledged[partition]?.length ?? 0;
  const stop = async (): Promise<void> => {
    on = false;
    await Promise.all(publishers);
  };
  return { acknowledged, count, stop };
}

/** Broker 1 has to elect the next one. */
function someLeader(): number {
  const leader = producer.leaders(topic)?.find((id) => id !== undefined && id !== 1);
  if (leader === undefined) throw new Error('Only broker 1 leads');
  return leader;
}

const ledBy = (leader: number): number[] =>
  KEYS.flatMap((_, partition) => (producer.leaders(topic)?.[partition] === leader ? [partition] : []));

it.each([
  { trouble: 'is killed', begin: (id: number) => cluster.kill(id), end: (id: number) => cluster.start(id) },
  {
    trouble: 'hangs',
    begin: async (id: number) => cluster.signal(id, 'SIGSTOP'),
    end: async (id: number) => cluster.signal(id, 'SIGCONT'),
  },
])('a leader that $trouble loses nothing acknowledged and reorders nothing', async ({ begin, end }) => {
  const load = publishing();
  const reader = supervisedConsumer(connection, topic);
  await vi.waitFor(() => expect(KEYS.every((_, partition) => load.count(partition) > 50)).toBe(true), WAIT);

  // The new leader of a partition needs no restart of ours.
  const leader = someLeader();
  const orphans = ledBy(leader);
  await begin(leader);
  const before = KEYS.map((_, partition) => load.count(partition));
  await vi.waitFor(() => {
    for (const partition of orphans)
      expect(load.count(partition)).toBeGreaterThan((before[partition] ?? 0) + 50);
  }, WAIT);
  await end(leader);
  await load.stop();

  // A broker that just came back may still tell an old end of its partitions, so we may have to look again.
  await vi.waitFor(async () => {
    const log = await readAll(connection, topic);
    for (const [partition, ids] of load.acknowledged.entries()) {
      const stored = firstPlaces(log[partition] ?? []);
      expect(ids.filter((id) => !stored.has(id))).toEqual([]);
      const places = ids.toSorted((a, b) => a - b).map((id) => stored.get(id) ?? -1);
      expect(places).toEqual(places.toSorted((a, b) => a - b));
    }
  }, WAIT);
  await vi.waitFor(async () => expect(reader.count()).toBe(await recordsIn(connection, topic)), WAIT);
  await reader.stop();
  reader.expectNoGap();
});

/** Where each id stands first; repeated sends leave copies behind it. */
function firstPlaces(messages: ConsumedMessage[]): Map<number, number> {
  const places = new Map<number, number>();
  for (const [place, { value }] of messages.entries()) {
    const id = Number(value?.toString());
    if (!places.has(id)) places.set(id, place);
  }
  return places;
}

it('a dead leader does not stop the partitions of the others', async () => {
  const load = publishing();
  await vi.waitFor(() => expect(KEYS.every((_, partition) => load.count(partition) > 50)).toBe(true), WAIT);
  const leader = someLeader();
  const orphans = new Set(ledBy(leader));
  const others = KEYS.map((_, partition) => partition).filter((partition) => !orphans.has(partition));

  await cluster.kill(leader);
  const atKill = KEYS.map((_, partition) => load.count(partition));
  let firstOrphan: number[] | undefined;
  await vi.waitFor(() => {
    const counts = KEYS.map((_, partition) => load.count(partition));
    if ([...orphans].some((partition) => (counts[partition] ?? 0) > (atKill[partition] ?? 0) + 5)) {
      firstOrphan ??= counts;
    }
    expect(firstOrphan).toBeDefined();
  }, WAIT);
  await load.stop();
  await cluster.start(leader);

  for (const partition of others) {
    expect(firstOrphan?.[partition]).toBeGreaterThan((atKill[partition] ?? 0) + 50);
  }
});
