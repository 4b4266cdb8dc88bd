import { createRequire } from 'node:module';
import { describe, expect, it } from 'vitest';
import type { Producer } from 'kafkajs';
import { sendGuarded } from '../src/producer/acknowledgement-guard.ts';

/** kafkajs's real producer on a simulated cluster of two brokers, of which only the responses exist. */
const require = createRequire(import.meta.url);
const createProducer = require('kafkajs/src/producer') as (options: object) => Producer;
const { KafkaJSProtocolError } = require('kafkajs/src/errors') as {
  KafkaJSProtocolError: new (error: object) => Error;
};

interface ProduceRequest {
  topicData: { topic: string; partitions: { partition: number }[] }[];
}

const TOPIC = 'readings';
const BATCHES = [0, 1].map((partition) => ({
  partition,
  messages: [{ key: 'k', value: Buffer.from(`for partition ${partition}`) }],
}));

function notLeader(): Error {
  return new KafkaJSProtocolError(
    Object.assign(new Error('not the leader'), {
      type: 'NOT_LEADER_FOR_PARTITION',
      code: 6,
      retriable: true,
    }),
  );
}

/** Partition 0 is led by broker 1. Partition 1 is led by broker 2, which rejects: broker 1 has taken over. */
function twoBrokers({ known }: { known: number[] }) {
  const leaders: Record<number, number> = { 0: 1, 1: 2 };
  const stored: number[] = [];
  const broker = (nodeId: number) => ({
    nodeId,
    produce: ({ topicData }: ProduceRequest) => {
      if (nodeId === 2) {
        leaders[1] = 1;
        return Promise.reject(notLeader());
      }
      stored.push(...topicData.flatMap(({ partitions }) => partitions.map(({ partition }) => partition)));
      return Promise.resolve({
        topics: topicData.map(({ topic, partitions }) => ({
          topicName: topic,
          partitions: partitions.map(({ partition }) => ({ partition, errorCode: 0, baseOffset: '0' })),
        })),
      });
    },
  });
  const brokers: Record<string, ReturnType<typeof broker>> = { 1: broker(1), 2: broker(2) };
  const nothing = (): Promise<void> => Promise.resolve();
  const cluster = {
    connect: nothing,
    refreshMetadata: nothing,
    refreshMetadataIfNecessary: nothing,
    addMultipleTargetTopics: nothing,
    targetTopics: new Set([TOPIC]),
    isConnected: () => true,
    findTopicPartitionMetadata: () =>
      known.map((partitionId) => ({ partitionId, leader: leaders[partitionId] })),
    findLeaderForPartitions: (_topic: string, partitions: string[]) =>
      Object.groupBy(
        partitions.map(Number).filter((partition) => known.includes(partition)),
        (partition) => String(leaders[partition]),
      ),
    findBroker: ({ nodeId }: { nodeId: string }) => Promise.resolve(brokers[nodeId]),
  };
  return { cluster, stored };
}

async function kafkajsOn(cluster: object): Promise<Producer> {
  const silent = { debug() {}, info() {}, warn() {}, error() {}, namespace: () => silent };
  const producer = createProducer({
    cluster,
    logger: silent,
    createPartitioner: () => (args: { message: { partition: number } }) => args.message.partition,
    retry: { retries: 5, initialRetryTime: 1, maxRetryTime: 1, factor: 0, multiplier: 1 },
  });
  await producer.connect();
  return producer;
}

describe('a send that spans leaders while one of them changes', () => {
  it('is resolved by kafkajs although a message was never sent', async () => {
    const { cluster, stored } = twoBrokers({ known: [0, 1] });
    const producer = await kafkajsOn(cluster);
    const messages = BATCHES.flatMap(({ partition, messages: [message] }) => ({
      partition,
      value: message?.value ?? null,
    }));

    const result = await producer.send({ topic: TOPIC, acks: -1, messages });

    expect(stored).toEqual([0]);
    expect(result.map(({ partition }) => partition)).toEqual([0]);
  });

  it('is rejected by the guard, which names what was not acknowledged', async () => {
    const { cluster, stored } = twoBrokers({ known: [0, 1] });

    await expect(
      sendGuarded(await kafkajsOn(cluster), TOPIC, BATCHES, { acknowledgeTimeoutMs: 1_000 }),
    ).rejects.toMatchObject({
      name: 'ProduceError',
      code: 'not_acknowledged',
      retriable: true,
      partitions: [1],
    });
    expect(stored).toEqual([0]);
  });

  it('is rejected by the guard when kafkajs does not know the partition', async () => {
    const { cluster } = twoBrokers({ known: [0] });

    await expect(
      sendGuarded(await kafkajsOn(cluster), TOPIC, BATCHES, { acknowledgeTimeoutMs: 1_000 }),
    ).rejects.toMatchObject({
      code: 'not_acknowledged',
      partitions: [1],
    });
  });
});

describe('what cannot be sent', () => {
  it('is an error of the caller, and kafkajs is not called', async () => {
    const producer = { send: () => Promise.reject(new Error('kafkajs was asked')) };
    const message = { key: 'k', value: Buffer.from('v'), headers: { none: null as unknown as string } };
    const batches = [...BATCHES, { partition: 2, messages: [message] }];

    await expect(
      sendGuarded(producer, TOPIC, batches, { acknowledgeTimeoutMs: 1_000 }),
    ).rejects.toMatchObject({
      name: 'ProduceError',
      code: 'invalid',
      retriable: false,
      partitions: [0, 1, 2],
      cause: expect.any(TypeError) as object,
    });
  });
});

describe('the guard', () => {
  const answering = (...records: object[]): Pick<Producer, 'send'> => ({
    send: () => Promise.resolve(records as Awaited<ReturnType<Producer['send']>>),
  });
  const good = { topicName: TOPIC, partition: 0, errorCode: 0, baseOffset: '7' };

  it('believes a result with an offset for every partition', async () => {
    const producer = answering(good, { ...good, partition: 1 });

    await expect(sendGuarded(producer, TOPIC, BATCHES, { acknowledgeTimeoutMs: 1_000 })).resolves.toEqual(
      new Map([
        [0, 7],
        [1, 7],
      ]),
    );
  });

  it.each([
    ['an error code', { ...good, partition: 1, errorCode: 6 }],
    ['no offset', { topicName: TOPIC, partition: 1, errorCode: 0 }],
    ['an offset below zero', { ...good, partition: 1, baseOffset: '-1' }],
    ['another topic', { ...good, topicName: 'other', partition: 1 }],
  ])('does not believe a result with %s', async (_, second) => {
    await expect(
      sendGuarded(answering(good, second), TOPIC, BATCHES, { acknowledgeTimeoutMs: 1_000 }),
    ).rejects.toMatchObject({
      partitions: [1],
    });
  });
});
