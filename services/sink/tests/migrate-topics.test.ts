import type { TopicAdmin, TopicState } from '@cellarman/kafka';
import { expect, it } from 'vitest';
import type { MigrateConfig } from '../src/config.ts';
import { keepCompression, migrateTopics } from '../src/migrate/migrate-topics.ts';

const CONFIG = {
  READINGS_TOPIC: 'readings',
  DEAD_LETTER_TOPIC: 'dead-letters',
  TOPIC_REPLICATION_FACTOR: 3,
  TOPIC_MIN_INSYNC_REPLICAS: 2,
  TOPIC_PARTITIONS: 6,
  ALLOW_WEAK_TOPIC: false,
} as MigrateConfig;

const SAFE: TopicState = {
  partitions: 6,
  replicationFactor: 3,
  inSyncReplicas: 3,
  minInsyncReplicas: 2,
  uncleanLeaderElection: false,
  messageTimestampType: 'LogAppendTime',
  cleanupPolicy: 'delete',
  compressionType: 'producer',
  retentionMs: -1,
  retentionBytes: -1,
  maxMessageBytes: 2 * 1024 * 1024,
};

/** A cluster of which some responses, by their number, come from a broker that does not know any topic yet. */
function clusterWithLateBroker(lateAnswers: readonly number[], state: TopicState = SAFE): TopicAdmin {
  const topics = new Set<string>();
  let answers = 0;
  return {
    describe: (topic) => {
      const isLate = lateAnswers.includes(++answers);
      return Promise.resolve(topics.has(topic) && !isLate ? state : undefined);
    },
    createMissing: (topic) => {
      const isNew = !topics.has(topic);
      topics.add(topic);
      return Promise.resolve(isNew);
    },
    alter: () => Promise.reject(new Error('nothing is to be altered')),
    delete: () => Promise.reject(new Error('nothing is to be deleted')),
  };
}

it('a broker that hears of a new topic late does not fail the migration', async () => {
  // The third to sixth response are those of the check after the creation.
  for (const late of [[3], [4], [3, 5], [3, 4, 5, 6]]) {
    const cluster = clusterWithLateBroker(late);
    expect(await migrateTopics(cluster, CONFIG)).toEqual(['readings', 'dead-letters']);
    expect(await migrateTopics(cluster, CONFIG)).toEqual([]);
  }
});

it('a topic that exists is not made again when the broker that is asked has not heard of it', async () => {
  const cluster = clusterWithLateBroker([5]);
  await migrateTopics(cluster, CONFIG);
  expect(await migrateTopics(cluster, CONFIG)).toEqual([]);
});

it('a weak topic is rejected without waiting', async () => {
  const cluster = clusterWithLateBroker([], { ...SAFE, minInsyncReplicas: 1 });
  await expect(migrateTopics(cluster, CONFIG)).rejects.toThrow(
    /not safe[^]*readings: min.insync.replicas is 1/,
  );
});

it('topics of earlier versions keep what producers compress, and a choice of the operator stays', async () => {
  const altered: unknown[] = [];
  const types: Record<string, string> = { readings: 'uncompressed', 'dead-letters': 'lz4' };
  const cluster: TopicAdmin = {
    ...clusterWithLateBroker([]),
    describe: (topic) => Promise.resolve({ ...SAFE, compressionType: types[topic] ?? 'producer' }),
    alter: (topic, config) => Promise.resolve(void altered.push([topic, config])),
  };
  expect(await keepCompression(cluster, CONFIG)).toEqual(['readings']);
  expect(altered).toEqual([['readings', { 'compression.type': 'producer' }]]);
});
