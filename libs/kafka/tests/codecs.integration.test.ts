import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { afterAll, expect, inject, it, vi } from 'vitest';
import { createKafkaProducer, createTopicAdmin } from '../src/index.ts';
import type { Compression, ConsumedMessage, ProducerMessage } from '../src/index.ts';
import { connectTo, createTestTopic, readAll } from './test-topic.ts';

const connection = connectTo(inject('engines').kafkaBrokers);
const admin = createTopicAdmin(connection);
const WAIT = { timeout: 30_000, interval: 100 };
const topics: string[] = [];

afterAll(() => Promise.all(topics.map((topic) => admin.delete(topic).catch(() => undefined))));

/** A topic whose broker compresses, or decompresses, each batch by Kafka's own code. */
async function topicWith(compressionType: string): Promise<string> {
  const topic = await createTestTopic(connection, { partitions: 1 });
  topics.push(topic);
  await admin.alter(topic, { 'compression.type': compressionType });
  await vi.waitFor(async () => expect(await admin.describe(topic)).toMatchObject({ compressionType }), WAIT);
  return topic;
}

async function send(topic: string, batches: ProducerMessage[][], compression: Compression): Promise<void> {
  const producer = createKafkaProducer({ connection, topics: [topic], compression });
  await producer.connect();
  for (const messages of batches) await producer.send(topic, [{ partition: 0, messages }]);
  await producer.disconnect();
}

const plain = ({ key, value, headers }: ProducerMessage | ConsumedMessage) => [
  Buffer.from(key ?? '').toString('hex'),
  value?.toString('hex'),
  Object.entries(headers ?? {}).map(([name, header]) => [name, header?.toString()]),
];

async function expectStored(topic: string, batches: ProducerMessage[][]): Promise<void> {
  const [messages = []] = await readAll(connection, topic);
  expect(messages.map(({ offset }) => Number(offset))).toEqual(messages.map((_, i) => i));
  expect(messages.map(plain)).toEqual(batches.flat().map(plain));
}

it.each(['gzip', 'snappy', 'lz4', 'zstd'])('what a broker has compressed with %s is read', async (codec) => {
  const topic = await topicWith(codec);
  // One message, several blocks of 64 KiB, and what no codec makes smaller.
  const batches = [
    [{ key: 'k', value: Buffer.from('{}') }],
    Array.from({ length: 2_000 }, (_, i) => ({
      key: `k${i % 9}`,
      value: Buffer.from(`{"value":${i}}`.repeat(20)),
    })),
    [{ key: 'k', value: randomBytes(300_000) }],
  ];
  await send(topic, batches, 'none');

  await expectStored(topic, batches);
});

it.each(['gzip', 'zstd'] as const)(
  'what we compress with %s is read by the broker and by us',
  async (codec) => {
    const message = fc.record({
      key: fc.string({ maxLength: 20 }),
      value: fc.uint8Array({ maxLength: 300 }).map((bytes) => Buffer.from(bytes)),
      headers: fc.constantFrom({}, { a: '1' }, { 'content-type': 'application/json', b: '' }),
    });
    const batches = fc.sample(fc.array(message, { minLength: 1, maxLength: 60 }), 50);
    // In the one topic the broker takes each batch apart and writes its own, in the other it keeps ours.
    for (const compressionType of ['uncompressed', 'producer']) {
      const topic = await topicWith(compressionType);
      await send(topic, batches, codec);

      await expectStored(topic, batches);
    }
  },
);
