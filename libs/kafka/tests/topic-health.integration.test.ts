import kafkajs from 'kafkajs';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import {
  createKafkaConsumer,
  createKafkaProducer,
  createTopicAdmin,
  fetchTopicHealth,
} from '../src/index.ts';
import { connectTo, createTestTopic } from './test-topic.ts';

const connection = connectTo(inject('engines').kafkaBrokers);
let topic: string;
beforeAll(async () => {
  topic = await createTestTopic(connection, { partitions: 2 });
});
afterAll(() => createTopicAdmin(connection).delete(topic));

it('the lag is what the group has not committed, whatever was fetched', async () => {
  const groupId = `${topic}-group`;
  const health = () => fetchTopicHealth(connection, { topic, groupId });
  const producer = createKafkaProducer({ connection, topics: [topic] });
  await producer.connect();
  const messages = Array.from({ length: 5 }, () => ({ key: 'k', value: Buffer.from('v') }));
  await producer.send(topic, [{ partition: 1, messages }]);
  await producer.disconnect();
  const before = await health();
  const [first, second] = before.partitions;
  expect(before.unreadShare).toBe(0);
  expect(first).toMatchObject({ partition: 0, replicas: 1, inSync: 1, lag: 0 });
  expect(second).toMatchObject({ partition: 1, replicas: 1, inSync: 1, lag: 5 });
  expect(typeof first?.leader).toBe('number');

  const consumer = createKafkaConsumer({
    ...{ connection, topic, groupId },
    handler: {
      async onBatch({ partition, firstOffset }) {
        // Everything is fetched, and half of it is done.
        await consumer.commit(new Map([[partition, firstOffset + 3n]]));
      },
    },
  });
  await consumer.start();
  await expect.poll(health).toMatchObject({
    partitions: [{ lag: 0 }, { lag: 2 }],
    unreadShare: 0,
  });
  await consumer.stop();

  const admin = new kafkajs.Kafka({
    brokers: [...connection.brokers],
    logLevel: kafkajs.logLevel.NOTHING,
  }).admin();
  await admin.connect();
  await admin.fetchTopicOffsets(topic);
  await admin.deleteTopicRecords({ topic, partitions: [{ partition: 1, offset: '2' }] });
  await admin.disconnect();
  expect(await health()).toMatchObject({ partitions: [{ lag: 0 }, { lag: 2 }], unreadShare: 2 / 3 });
});
