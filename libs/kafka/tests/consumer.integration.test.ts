import kafkajs from 'kafkajs';
import { afterAll, describe, expect, inject, it, vi } from 'vitest';
import { createKafkaConsumer, createKafkaProducer, createTopicAdmin } from '../src/index.ts';
import type {
  Assignment,
  ConsumerHandler,
  ConsumerPort,
  ConsumerTiming,
  MessageBatch,
} from '../src/index.ts';
import { connectTo, createTestTopic, randomName } from './test-topic.ts';

const connection = connectTo(inject('engines').kafkaBrokers);
const WAIT = { timeout: 30_000, interval: 50 };
/** The shortest that a broker allows by default. */
const TIMING: ConsumerTiming = { sessionTimeoutMs: 6_000, heartbeatIntervalMs: 500 };
const running: ConsumerPort[] = [];
const topics: string[] = [];

afterAll(async () => {
  await Promise.all(running.map((consumer) => consumer.stop()));
  await Promise.all(
    topics.map((topic) =>
      createTopicAdmin(connection)
        .delete(topic)
        .catch(() => undefined),
    ),
  );
});

async function topicWith(perPartition: number[]): Promise<string> {
  const topic = await createTestTopic(connection, { partitions: perPartition.length });
  topics.push(topic);
  await write(topic, perPartition);
  return topic;
}

async function write(topic: string, perPartition: number[]): Promise<void> {
  const producer = createKafkaProducer({ connection, topics: [topic] });
  await producer.connect();
  const batches = perPartition.map((count, partition) => ({
    partition,
    messages: Array.from({ length: count }, (_, i) => ({
      key: 'k',
      value: Buffer.from(`${partition}:${i}`),
    })),
  }));
  const wanted = batches.filter(({ messages }) => messages.length > 0);
  // Each for itself: when a partition rejects, what the others have taken must not be sent again.
  for (const batch of wanted) await vi.waitFor(() => producer.send(topic, [batch]), WAIT);
  await producer.disconnect();
}

/** A consumer whose batches and assignments are noted. */
function consumerOf(topic: string, groupId: string, onBatch?: ConsumerHandler['onBatch']) {
  const batches: MessageBatch[] = [];
  const assignments: Assignment[] = [];
  const revoked: Assignment[] = [];
  const consumer = createKafkaConsumer({
    connection,
    topic,
    groupId,
    timing: TIMING,
    handler: {
      onAssigned: (assignment) => void assignments.push(assignment),
      onRevoked: (assignment) => void revoked.push(assignment),
      onBatch: async (batch, assignment) => {
        await onBatch?.(batch, assignment);
        batches.push(batch);
      },
    },
  });
  running.push(consumer);
  const offsets = () =>
    batches.flatMap(({ partition, messages }) => messages.map((m) => `${partition}@${m.offset}`));
  return { consumer, batches, assignments, revoked, offsets };
}

// Each has a topic and a group of its own, and waits most of its time.
describe.concurrent('a consumer', () => {
  it('reads from the beginning, each partition in order and without a gap', async () => {
    const topic = await topicWith([300, 0, 200]);
    const { consumer, batches, assignments, offsets } = consumerOf(topic, randomName('group'));

    await consumer.start();
    await vi.waitFor(() => expect(offsets()).toHaveLength(500), WAIT);
    await write(topic, [0, 100, 100]);
    await vi.waitFor(() => expect(offsets()).toHaveLength(700), WAIT);

    expect(assignments[0]?.start).toEqual(
      new Map([
        [0, 0n],
        [1, 0n],
        [2, 0n],
      ]),
    );
    for (const [, ofPartition] of Map.groupBy(batches, ({ partition }) => partition)) {
      ofPartition.reduce((end, { firstOffset, nextOffset }) => {
        expect(firstOffset).toBe(end);
        return nextOffset;
      }, 0n);
    }
    expect(consumer.position(2)).toBe(300n);
  });

  it('begins again where it has committed', async () => {
    const topic = await topicWith([100]);
    const groupId = randomName('group');
    const first = consumerOf(topic, groupId);
    await first.consumer.start();
    await vi.waitFor(() => expect(first.offsets()).toHaveLength(100), WAIT);
    await first.consumer.commit(new Map([[0, 40n]]));
    await first.consumer.stop();

    const second = consumerOf(topic, groupId);
    await second.consumer.start();
    await vi.waitFor(() => expect(second.offsets()).toHaveLength(60), WAIT);

    expect(second.offsets()[0]).toBe('0@40');
  });

  it('rejects commits of what it has not delivered, and of partitions that it does not own', async () => {
    const topic = await topicWith([10]);
    const { consumer, offsets } = consumerOf(topic, randomName('group'));
    await consumer.start();
    await vi.waitFor(() => expect(offsets()).toHaveLength(10), WAIT);

    await expect(consumer.commit(new Map([[0, 11n]]))).rejects.toThrow(RangeError);
    await expect(consumer.commit(new Map([[7, 1n]]))).rejects.toMatchObject({ code: 'not_assigned' });
  });

  it('stays a member while a handler waits for longer than the session', async () => {
    const topic = await topicWith([50]);
    const groupId = randomName('group');
    const gate = Promise.withResolvers<undefined>();
    const { consumer, assignments, revoked, offsets } = consumerOf(topic, groupId, () => gate.promise);
    await consumer.start();

    await outlast(groupId);
    gate.resolve(undefined);
    await vi.waitFor(() => expect(offsets()).toHaveLength(50), WAIT);
    await consumer.commit(new Map([[0, 50n]]));

    expect(assignments).toHaveLength(1);
    expect(revoked).toHaveLength(0);
  });

  it('stays a member while everything is paused for longer than the session', async () => {
    const topic = await topicWith([0, 0]);
    const groupId = randomName('group');
    const { consumer, assignments, offsets } = consumerOf(topic, groupId);
    await consumer.start();
    await vi.waitFor(() => expect(assignments).toHaveLength(1), WAIT);

    consumer.pause([0, 1]);
    await write(topic, [20, 20]);
    await outlast(groupId);
    expect(offsets()).toHaveLength(0);
    consumer.resume([0]);
    await vi.waitFor(() => expect(offsets()).toHaveLength(20), WAIT);
    consumer.resume([1]);
    await vi.waitFor(() => expect(offsets()).toHaveLength(40), WAIT);

    expect(assignments).toHaveLength(1);
  });

  it('flushes after quiesce(): nothing more is delivered, and commits still count', async () => {
    const topic = await topicWith([10]);
    const groupId = randomName('group');
    const { consumer, offsets } = consumerOf(topic, groupId);
    await consumer.start();
    await vi.waitFor(() => expect(offsets()).toHaveLength(10), WAIT);

    await consumer.quiesce();
    await write(topic, [10]);
    await consumer.commit(new Map([[0, 10n]]));
    await consumer.stop();

    await expect(consumer.done).resolves.toBeUndefined();
    expect(offsets()).toHaveLength(10);
    expect(await committed(groupId, topic)).toBe('10');
  });

  it('waits in stop() for the running handler, whose signal is aborted', async () => {
    const topic = await topicWith([10]);
    const events: string[] = [];
    const begun = Promise.withResolvers<undefined>();
    const { consumer, revoked } = consumerOf(topic, randomName('group'), async (_, { signal }) => {
      begun.resolve(undefined);
      await new Promise((resolve) => signal.addEventListener('abort', resolve));
      await Promise.resolve();
      events.push('handler ended');
    });
    await consumer.start();
    await begun.promise;

    await consumer.stop();
    events.push('stopped');

    expect(events).toEqual(['handler ended', 'stopped']);
    expect(revoked).toHaveLength(1);
  });

  it('ends when its handler fails, and reads that batch again after the next start', async () => {
    const topic = await topicWith([10]);
    const groupId = randomName('group');
    const failure = new Error('the batch is bad');
    const { consumer } = consumerOf(topic, groupId, () => Promise.reject(failure));
    await consumer.start().catch(() => undefined);
    await expect(consumer.done).rejects.toMatchObject({ code: 'handler_failed', cause: failure });

    const next = consumerOf(topic, groupId);
    await next.consumer.start();
    await vi.waitFor(() => expect(next.offsets()).toHaveLength(10), WAIT);
  });

  it('ends when Kafka no longer has what it was to read next, and does not skip it at the next start', async () => {
    const topic = await topicWith([100]);
    const groupId = randomName('group');
    const { consumer, offsets } = consumerOf(topic, groupId);
    await consumer.start();
    await vi.waitFor(() => expect(offsets()).toHaveLength(100), WAIT);
    await consumer.commit(new Map([[0, 50n]]));

    consumer.pause([0]);
    await write(topic, [50]);
    await withKafkajs(async (admin) => {
      await admin.fetchTopicOffsets(topic);
      await admin.deleteTopicRecords({ topic, partitions: [{ partition: 0, offset: '140' }] });
    });
    consumer.resume([0]);

    await expect(consumer.done).rejects.toMatchObject({ code: 'offset_out_of_range' });
    expect(offsets()).toHaveLength(100);
    expect(await committed(groupId, topic)).toBe('50');
    const next = consumerOf(topic, groupId);
    await next.consumer.start();
    await expect(next.consumer.done).rejects.toMatchObject({ code: 'offset_out_of_range' });
    expect(next.offsets()).toEqual([]);
  });

  it('cannot start without its topic', async () => {
    const { consumer } = consumerOf(randomName('missing'), randomName('group'));

    await expect(consumer.start()).rejects.toMatchObject({ code: 'crashed' });
  });
});

describe('a second member', () => {
  it('takes over partitions: the first consumer is notified, and nothing is skipped', async () => {
    const topic = await topicWith([200, 200]);
    const groupId = randomName('group');
    const first = consumerOf(topic, groupId, async ({ partition, nextOffset }, { signal }) => {
      // Holds partition 1 back: delivered, but neither done nor committed.
      if (partition === 1)
        return new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()));
      await first.consumer.commit(new Map([[partition, nextOffset]]));
    });
    await first.consumer.start();
    await vi.waitFor(async () => expect(await committed(groupId, topic)).toBe('200'), WAIT);

    const second = consumerOf(topic, groupId);
    await second.consumer.start();
    await vi.waitFor(() => expect(second.assignments).toHaveLength(1), WAIT);

    const [partition = -1] = second.assignments[0]?.start.keys() ?? [];
    expect(second.assignments[0]?.start.size).toBe(1);
    await vi.waitFor(() => expect(first.revoked).toHaveLength(1), WAIT);
    expect(first.assignments[0]?.signal.aborted).toBe(true);
    await expect(first.consumer.commit(new Map([[partition, 1n]]))).rejects.toMatchObject({
      code: 'not_assigned',
    });

    const start = partition === 1 ? 0 : 200;
    expect(second.assignments[0]?.start.get(partition)).toBe(BigInt(start));
    const rest = Array.from({ length: 200 - start }, (_, i) => `${partition}@${start + i}`);
    await vi.waitFor(() => expect(second.offsets()).toEqual(rest), WAIT);
  });
});

/** Resolves when the group has had its one member for longer than the session time-out. */
async function outlast(groupId: string): Promise<void> {
  const end = performance.now() + 7_500;
  await vi.waitUntil(() => performance.now() > end, { timeout: 20_000, interval: 200 });
  const { groups } = await withKafkajs((admin) => admin.describeGroups([groupId]));
  expect(groups[0]).toMatchObject({ state: 'Stable', members: [{}] });
}

async function committed(groupId: string, topic: string): Promise<string | undefined> {
  const [answer] = await withKafkajs((admin) => admin.fetchOffsets({ groupId, topics: [topic] }));
  return answer?.partitions.find(({ partition }) => partition === 0)?.offset;
}

async function withKafkajs<T>(ask: (admin: kafkajs.Admin) => Promise<T>): Promise<T> {
  const { Kafka, logLevel } = kafkajs;
  const admin = new Kafka({ brokers: [...connection.brokers], logLevel: logLevel.NOTHING }).admin();
  await admin.connect();
  try {
    return await ask(admin);
  } finally {
    await admin.disconnect();
  }
}
