import { randomBytes } from 'node:crypto';
import { expect, vi } from 'vitest';
import { createTopicAdmin, fetchLogBounds } from '../src/index.ts';
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

/** A topic whose leaders know of it: until then they reject, one partition here and another there. */
export async function createTestTopic(
  connection: KafkaConnection,
  policy: Partial<TopicPolicy> = {},
): Promise<string> {
  const topic = randomName('topic');
  const { partitions } = { ...WEAK_POLICY, ...policy };
  await createTopicAdmin(connection).createMissing(topic, { ...WEAK_POLICY, ...policy });
  const known = async (): Promise<number> => (await fetchLogBounds(connection, topic)).size;
  await vi.waitFor(async () => expect(await known()).toBe(partitions), { timeout: 30_000, interval: 50 });
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
