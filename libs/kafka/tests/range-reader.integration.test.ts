import kafkajs from 'kafkajs';
import { afterAll, beforeAll, describe, expect, inject, it, vi } from 'vitest';
import { createKafkaProducer, createTopicAdmin, readRange } from '../src/index.ts';
import type { MessageBatch, RangeBound } from '../src/index.ts';
import { connectTo, createTestTopic } from './test-topic.ts';

const connection = connectTo(inject('engines').kafkaBrokers);
const WAIT = { timeout: 30_000, interval: 100 };
let topic: string;
let middle: number;

beforeAll(async () => {
  topic = await createTestTopic(connection, { partitions: 3 });
  await write(3_000);
  // The broker's clock is this machine's; two records never share this millisecond.
  middle = Date.now() + 5;
  await vi.waitUntil(() => Date.now() > middle, WAIT);
  await write(600);
});

afterAll(() => createTopicAdmin(connection).delete(topic));

async function write(count: number): Promise<void> {
  const producer = createKafkaProducer({ connection, topics: [topic] });
  await producer.connect();
  const messages = Array.from({ length: count / 2 }, (_, i) => ({ key: 'k', value: Buffer.from(String(i)) }));
  // Partition 1 stays empty.
  const batches = [0, 2].map((partition) => ({ partition, messages }));
  // Each for itself: when a partition rejects, what the others have taken must not be sent again.
  for (const batch of batches) await vi.waitFor(() => producer.send(topic, [batch]), WAIT);
  await producer.disconnect();
}

async function read(from: RangeBound, to: RangeBound, of = topic): Promise<MessageBatch[]> {
  const batches: MessageBatch[] = [];
  for await (const batch of readRange({ connection, topic: of, from, to })) batches.push(batch);
  return batches;
}

const offsets = (batches: MessageBatch[], wanted: number) =>
  batches.flatMap(({ partition, messages }) =>
    partition === wanted ? messages.map((m) => Number(m.offset)) : [],
  );

const count = (batches: MessageBatch[]) => batches.reduce((sum, { messages }) => sum + messages.length, 0);

describe('a range of a topic', () => {
  it('is read whole, in order, from start to end', async () => {
    const batches = await read('start', 'end');

    for (const partition of [0, 2]) {
      expect(offsets(batches, partition)).toEqual(Array.from({ length: 1_800 }, (_, i) => i));
    }
    expect(count(batches)).toBe(3_600);
  });

  it('is cut at the time when the broker wrote', async () => {
    expect(count(await read('start', { timestampMs: middle }))).toBe(3_000);
    expect(count(await read({ timestampMs: middle }, 'end'))).toBe(600);
  });

  it('is cut at offsets', async () => {
    const batches = await read(
      new Map([
        [0, 10n],
        [2, 1_799n],
      ]),
      new Map([
        [0, 15n],
        [2, 1_800n],
      ]),
    );

    expect(offsets(batches, 0)).toEqual([10, 11, 12, 13, 14]);
    expect(offsets(batches, 2)).toEqual([1_799]);
  });

  it('may be empty', async () => {
    expect(await read('end', 'end')).toEqual([]);
    expect(await read({ timestampMs: Date.now() + 3_600_000 }, 'end')).toEqual([]);
  });

  it('is fetched no faster than it is taken, and may be left early', async () => {
    let taken = 0;
    for await (const { messages } of readRange({
      connection,
      topic,
      from: 'start',
      to: 'end',
      limits: { maxBytes: 10_000, maxBytesPerPartition: 5_000 },
    })) {
      taken += messages.length;
      if (taken > 100) break;
    }

    expect(taken).toBeGreaterThan(100);
    expect(taken).toBeLessThan(3_600);
  });

  it('leaves no offsets and no group behind', async () => {
    const { Kafka, logLevel } = kafkajs;
    const admin = new Kafka({ brokers: [...connection.brokers], logLevel: logLevel.NOTHING }).admin();
    await admin.connect();
    const ours = async () =>
      (await admin.listGroups()).groups.filter(({ groupId }) => groupId.startsWith('kafka-test-range-'));

    await read('start', 'end');
    for (const { groupId } of await ours()) {
      const [answer] = await admin.fetchOffsets({ groupId, topics: [topic] });
      expect(answer?.partitions.every(({ offset }) => offset === '-1')).toBe(true);
    }
    await admin.disconnect();
  });

  it('may end with the mark of a transaction', async () => {
    const other = await createTestTopic(connection, { partitions: 1 });
    const { Kafka, logLevel, Partitioners } = kafkajs;
    const producer = new Kafka({ brokers: [...connection.brokers], logLevel: logLevel.NOTHING }).producer({
      createPartitioner: Partitioners.DefaultPartitioner,
      transactionalId: other,
      idempotent: true,
      maxInFlightRequests: 1,
    });
    await producer.connect();
    const transaction = await producer.transaction();
    await transaction.send({ topic: other, messages: [{ value: 'a' }, { value: 'b' }] });
    await transaction.commit();
    await producer.disconnect();

    // The mark, at offset 2, is written after commit() has returned.
    const end = new Map([[0, 3n]]);
    await vi.waitFor(async () => expect(offsets(await read('start', end, other), 0)).toEqual([0, 1]), WAIT);
    await createTopicAdmin(connection).delete(other);
  });
});
