import { randomUUID } from 'node:crypto';
import kafkajs from 'kafkajs';
import { afterEach, describe, expect, inject, it, vi } from 'vitest';
import { createKafkaProducer, createLanes, createTopicAdmin, partitionOf } from '../src/index.ts';
import type { LaneLimits, ProducerPort } from '../src/index.ts';
import { connectTo, createTestTopic, randomName, readAll, WEAK_POLICY } from './test-topic.ts';

const connection = connectTo(inject('engines').kafkaBrokers);
const admin = createTopicAdmin(connection);
const LIMITS: LaneLimits = { maxInFlightBytes: 64_000_000 };
const WAIT = { timeout: 30_000, interval: 100 };
const opened: ProducerPort[] = [];
const topics: string[] = [];

function producerFor(topic: string): ProducerPort {
  const producer = createKafkaProducer({ connection, topics: [topic] });
  opened.push(producer);
  topics.push(topic);
  return producer;
}

async function lanesFor(topic: string) {
  const producer = producerFor(topic);
  await producer.connect();
  return createLanes({ producer, topic, limits: LIMITS, deadlineMs: 20_000 });
}

afterEach(async () => {
  await Promise.all(opened.splice(0).map((producer) => producer.disconnect()));
  await Promise.all(topics.splice(0).map((topic) => admin.delete(topic).catch(() => undefined)));
});

describe('a published message', () => {
  it('is in the partition of its key, with value, headers and the time of the broker', async () => {
    const topic = await createTestTopic(connection);
    const lanes = await lanesFor(topic);
    const before = Date.now();

    await lanes.publish('vineyard/rack-1', Buffer.from('{"value":1}'), { 'schema-version': '1' });

    const messages = await readAll(connection, topic);
    const [message] = messages[partitionOf('vineyard/rack-1', WEAK_POLICY.partitions)] ?? [];
    expect(message?.key?.toString()).toBe('vineyard/rack-1');
    expect(message?.value?.toString()).toBe('{"value":1}');
    expect(message?.headers?.['schema-version']?.toString()).toBe('1');
    expect(Number(message?.timestamp)).toBeGreaterThanOrEqual(before - 1_000);
    expect(Number(message?.timestamp)).toBeLessThanOrEqual(Date.now() + 1_000);
  });

  it('goes where every other client with the default partitioner sends it', async () => {
    const topic = await createTestTopic(connection, { partitions: 6 });
    const lanes = await lanesFor(topic);
    const keys = Array.from({ length: 50 }, (_, i) => `cellar/rack ä${i}`);
    const { Kafka, Partitioners, logLevel } = kafkajs;
    const other = new Kafka({ brokers: [...connection.brokers], logLevel: logLevel.NOTHING }).producer({
      createPartitioner: Partitioners.DefaultPartitioner,
    });
    await other.connect();

    await other.send({ topic, messages: keys.map((key) => ({ key, value: 'theirs' })) });
    await Promise.all(keys.map((key) => lanes.publish(key, Buffer.from('ours'))));
    await other.disconnect();

    for (const messages of await readAll(connection, topic)) {
      const by = Map.groupBy(messages, ({ value }) => value?.toString());
      const keysOf = (who: string) => new Set(by.get(who)?.map(({ key }) => key?.toString()));
      expect(keysOf('ours')).toEqual(keysOf('theirs'));
    }
  });

  it('keeps the order of its key among thousands', async () => {
    const topic = await createTestTopic(connection);
    const lanes = await lanesFor(topic);
    const ids = Array.from({ length: 5_000 }, (_, i) => i);

    await Promise.all(ids.map((id) => lanes.publish(`rack-${id % 20}`, Buffer.from(String(id)))));

    const messages = (await readAll(connection, topic)).flat();
    expect(messages).toHaveLength(ids.length);
    for (const [, ofKey] of Map.groupBy(messages, ({ key }) => key?.toString())) {
      const order = ofKey.map(({ value }) => Number(value?.toString()));
      expect(order).toEqual(order.toSorted((a, b) => a - b));
    }
  });

  it('is rejected for good when the topic takes no message of its size', async () => {
    const topic = await createTestTopic(connection, { maxMessageBytes: 2_000 });
    const lanes = await lanesFor(topic);

    await expect(lanes.publish('k', Buffer.alloc(4_000))).rejects.toMatchObject({
      code: 'failed',
      cause: { code: 'too_large' },
    });
    await expect(lanes.publish('k', Buffer.alloc(100))).resolves.toBeUndefined();
  });
});

describe('a topic', () => {
  it('that is made after the start is found', async () => {
    const topic = randomName('late');
    const producer = producerFor(topic);
    await expect(producer.connect()).rejects.toThrow();
    expect(producer.leaders(topic)).toBeUndefined();

    await admin.createMissing(topic, WEAK_POLICY);

    await vi.waitFor(() => expect(producer.leaders(topic)).toHaveLength(WEAK_POLICY.partitions), WAIT);
  });

  it('is never created by sending to it', async () => {
    const topic = randomName('missing');
    const producer = producerFor(topic);

    await expect(
      producer.send(topic, [{ partition: 0, messages: [{ key: 'k', value: Buffer.from('v') }] }]),
    ).rejects.toMatchObject({ name: 'ProduceError', partitions: [0] });
    expect(await admin.describe(topic)).toBeUndefined();
  });

  it('may get more partitions while messages are published', async () => {
    const topic = await createTestTopic(connection, { partitions: 1 });
    const lanes = await lanesFor(topic);
    await lanes.publish('first', Buffer.from('1'));
    const { Kafka, logLevel } = kafkajs;
    const other = new Kafka({ brokers: [...connection.brokers], logLevel: logLevel.NOTHING }).admin();
    await other.connect();
    await other.createPartitions({ topicPartitions: [{ topic, count: 4 }] });
    await other.disconnect();

    await vi.waitFor(async () => {
      // Several, because reading the topic takes a while on a busy machine.
      await Promise.all(Array.from({ length: 8 }, () => lanes.publish(randomUUID(), Buffer.from('x'))));
      expect((await readAll(connection, topic)).filter((messages) => messages.length > 0)).toHaveLength(4);
    }, WAIT);
  });
});
