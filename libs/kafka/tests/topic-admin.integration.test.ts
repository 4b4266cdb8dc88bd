import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { createTopicAdmin, topicWeaknesses } from '../src/index.ts';
import { connectTo, randomName, WEAK_POLICY } from './test-topic.ts';

const admin = createTopicAdmin(connectTo(inject('engines').kafkaBrokers));
const topic = randomName('policy');

describe('the topic admin', () => {
  beforeAll(async () => {
    expect(await admin.describe(topic)).toBeUndefined();
    expect(await admin.createMissing(topic, WEAK_POLICY)).toBe(true);
  });
  afterAll(() => admin.delete(topic));

  it('makes a topic exactly as the policy says', async () => {
    const state = await admin.describe(topic);

    expect(state).toEqual({
      partitions: 3,
      replicationFactor: 1,
      inSyncReplicas: 1,
      minInsyncReplicas: 1,
      uncleanLeaderElection: false,
      messageTimestampType: 'LogAppendTime',
      cleanupPolicy: 'delete',
      compressionType: 'producer',
      retentionMs: 7 * 86_400_000,
      retentionBytes: -1,
      maxMessageBytes: 1_048_588,
    });
    expect(state && topicWeaknesses(state, WEAK_POLICY)).toEqual([]);
  });

  it('does not make it twice', async () => {
    expect(await admin.createMissing(topic, { ...WEAK_POLICY, partitions: 12 })).toBe(false);
    expect(await admin.describe(topic)).toMatchObject({ partitions: 3 });
  });

  it('says which topic cannot be created, and why', async () => {
    const other = randomName('too-many-replicas');
    await expect(admin.createMissing(other, { ...WEAK_POLICY, replicationFactor: 3 })).rejects.toThrow(
      `The topic ${other} cannot be created: Replication-factor is invalid`,
    );
  });

  it('changes the given settings and leaves the rest of the configuration', async () => {
    await admin.alter(topic, { 'retention.ms': '3600000' });

    const state = await admin.describe(topic);
    expect(state).toMatchObject({ retentionMs: 3_600_000, messageTimestampType: 'LogAppendTime' });
    expect(state && topicWeaknesses(state, WEAK_POLICY)).toEqual([
      'retention.ms keeps 0.04 days, 7 are demanded',
    ]);
  });

  it('adds partitions, and rejects fewer than there are', async () => {
    await admin.addPartitions(topic, 5);
    expect(await admin.describe(topic)).toMatchObject({ partitions: 5 });
    await expect(admin.addPartitions(topic, 4)).rejects.toThrow();
  });

  it('rejects a configuration that Kafka does not know', async () => {
    await expect(admin.alter(topic, { 'no.such.setting': '1' })).rejects.toThrow();
  });
});
