import { randomBytes } from 'node:crypto';
import { createTopicAdmin } from '../src/index.ts';
import type { ConsumedMessage, KafkaConnection, TopicPolicy } from '../src/index.ts';
import { readRange } from '../src/index.ts';

const silent = { debug() {}, info() {}, warn() {}, error() {} };

export const WEAK_POLICY: TopicPolicy = {
  partitions: 3,
  replicationFactor: 1,
  minInsyncReplicas: 1,
  retentionMs: 7 * 86_400_000,
  maxMessageBytes: 1_048_588,
};

export function connectTo(brokers: readonly string[]): KafkaConnection {
  return { brokers, clientId: 'kafka-test', logger: silent };
}

export const randomName = (what: string): string => `${what}-${randomBytes(6).toString('hex')}`;

export async function createTestTopic(
  connection: KafkaConnection,
  policy: Partial<TopicPolicy> = {},
): Promise<string> {
  const topic = randomName('topic');
  await createTopicAdmin(connection).createMissing(topic, { ...WEAK_POLICY, ...policy });
  return topic;
}

/** Everything that the topic holds, by partition. */
export async function readAll(connection: KafkaConnection, topic: string): Promise<ConsumedMessage[][]> {
  const found: ConsumedMessage[][] = [];
  for await (const { partition, messages } of readRange({ connection, topic, from: 'start', to: 'end' })) {
    (found[partition] ??= []).push(...messages);
  }
  return found;
}
