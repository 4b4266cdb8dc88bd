import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest';
import { createKafkaProducer, createLanes } from '../src/index.ts';
import type { ConsumedMessage, KafkaConnection, Lanes, ProducerPort, TopicPolicy } from '../src/index.ts';
import { startKafkaCluster } from './kafka-cluster.ts';
import type { KafkaCluster } from './kafka-cluster.ts';
import { keyOf } from './scripted-producer.ts';
import { recordsIn, supervisedConsumer } from './supervised-consumer.ts';
import { connectTo, createTestTopic, readAll } from './test-topic.ts';

// Brokers take their time on a busy machine.
vi.setConfig({ testTimeout: 240_000 });

const WAIT = { timeout: 60_000, interval: 50 };
const PARTITIONS = 6;
const ALL = Array.from({ length: PARTITIONS }, (_, partition) => partition);
const KEYS = ALL.map((partition) => keyOf(partition, PARTITIONS));
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
const cleanUp: (() => Promise<void>)[] = [];

async function publishTo(
  copies: Pick<TopicPolicy, 'replicationFactor' | 'minInsyncReplicas'>,
): Promise<void> {
  // A broker of the test before may still be on its way back.
  topic = await vi.waitFor(() => createTestTopic(connection, { partitions: PARTITIONS, ...copies }), WAIT);
  producer = createKafkaProducer({ connection, topics: [topic] });
  await producer.connect();
  lanes = createLanes({ producer, topic, limits: { maxInFlightBytes: 8_000_000 }, deadlineMs: 4_500 });
  cleanUp.push(async () => {
    await lanes.close(1_000);
    await producer.disconnect();
  });
}

// Also after a failure, the last first.
afterEach(async () => {
  for (const step of cleanUp.splice(0).toReversed()) await step();
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
          // The rejection may be immediate: yields to the others before the next attempt.
          () => nextTurn(),
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

/** Waits until each of these partitions has this number of further acknowledged messages. */
async function untilAllAdvance(
  load: ReturnType<typeof publishing>,
  by: number,
  partitions = ALL,
): Promise<void> {
  const before = ALL.map(load.count);
  await vi.waitFor(() => {
    const behind = partitions.filter((partition) => load.count(partition) < (before[partition] ?? 0) + by);
    expect({ behind, lanes: behind.length === 0 ? undefined : lanes.stats() }).toEqual({ behind: [] });
  }, WAIT);
}

/** Broker 1 has to elect the next one. */
function someLeader(): number {
  const leader = producer.leaders(topic)?.find((id) => id !== undefined && id !== 1);
  if (leader === undefined) throw new Error('Only broker 1 leads');
  return leader;
}

const ledBy = (leader: number): number[] =>
  ALL.filter((partition) => producer.leaders(topic)?.[partition] === leader);

it.each([
  { trouble: 'is killed', begin: (id: number) => cluster.kill(id), end: (id: number) => cluster.start(id) },
  {
    trouble: 'hangs',
    begin: async (id: number) => cluster.signal(id, 'SIGSTOP'),
    end: async (id: number) => cluster.signal(id, 'SIGCONT'),
  },
])('a leader that $trouble loses nothing acknowledged and reorders nothing', async ({ begin, end }) => {
  await publishTo({ replicationFactor: 3, minInsyncReplicas: 2 });
  const load = publishing();
  const reader = supervisedConsumer(connection, topic);
  cleanUp.push(load.stop, reader.stop);
  await untilAllAdvance(load, 50);

  // The new leader of a partition needs no restart of ours.
  const leader = someLeader();
  const orphans = ledBy(leader);
  await begin(leader);
  await untilAllAdvance(load, 50, orphans);
  await end(leader);
  await load.stop();

  // A broker that has just restarted may still report an old end of its partitions, so we may have to read again.
  await vi.waitFor(async () => {
    const log = await readAll(connection, topic);
    for (const [partition, ids] of load.acknowledged.entries()) {
      // Few at a time: to print how tens of thousands differ takes minutes.
      const stored = firstPlaces(log[partition] ?? []);
      const missing = ids.filter((id) => !stored.has(id));
      expect({ partition, missing: missing.length, some: missing.slice(0, 5) }).toMatchObject({ missing: 0 });
      const inOrder = ids.toSorted((a, b) => a - b);
      const early = inOrder.filter(
        (id, i) => (stored.get(id) ?? 0) < (stored.get(inOrder[i - 1] ?? -1) ?? -1),
      );
      expect({ partition, early: early.length, some: early.slice(0, 5) }).toMatchObject({ early: 0 });
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
  // No copies: a partition of another leader then waits for nobody, and those of the dead one cannot move.
  await publishTo({ replicationFactor: 1, minInsyncReplicas: 1 });
  const load = publishing();
  cleanUp.push(load.stop);
  await untilAllAdvance(load, 50);
  const leader = someLeader();
  const orphans = ledBy(leader);
  const others = ALL.filter((partition) => !orphans.includes(partition));

  await cluster.kill(leader);
  const atKill = ALL.map(load.count);
  await untilAllAdvance(load, 500, others);
  for (const partition of orphans) expect(load.count(partition) - (atKill[partition] ?? 0)).toBeLessThan(10);
  await cluster.start(leader);
  await untilAllAdvance(load, 50, orphans);
});
