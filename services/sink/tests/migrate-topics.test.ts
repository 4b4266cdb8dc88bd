import type { TopicAdmin, TopicState } from '@cellarman/kafka';
import { expect, it } from 'vitest';
import type { MigrateConfig } from '../src/config.ts';
import { adaptTopics, awaitSafeTopics, createTopics } from '../src/migrate/migrate-topics.ts';

const CONFIG = {
  READINGS_TOPIC: 'readings',
  DEAD_LETTER_TOPIC: 'dead-letters',
  TOPIC_REPLICATION_FACTOR: 3,
  TOPIC_MIN_INSYNC_REPLICAS: 2,
  TOPIC_PARTITIONS: 6,
  TOPIC_RETENTION_HOURS: 168,
  TOPIC_RETENTION_GIB: 0,
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
    addPartitions: () => Promise.reject(new Error('no partitions are to be added')),
    alter: () => Promise.reject(new Error('nothing is to be altered')),
    delete: () => Promise.reject(new Error('nothing is to be deleted')),
  };
}

async function migrateTopics(cluster: TopicAdmin, config: MigrateConfig): Promise<string[]> {
  const created = await createTopics(cluster, config);
  await awaitSafeTopics(cluster, config, { isChanged: false });
  return created;
}

it('a broker that hears of a new topic late does not fail the migration', async () => {
  // The third to sixth response are those of the check after the creation.
  for (const late of [[3], [4], [3, 5], [3, 4, 5, 6]]) {
    const cluster = clusterWithLateBroker(late);
    expect(await migrateTopics(cluster, CONFIG)).toEqual(['readings', 'dead-letters']);
    expect(await migrateTopics(cluster, CONFIG)).toEqual([]);
  }
});

it('an existing topic is not created again when the queried broker does not know it yet', async () => {
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

/** Two topics that exist, and what is done with them. */
function existing(readings: Partial<TopicState>, deadLetters: Partial<TopicState> = {}) {
  const done: unknown[] = [];
  const admin: TopicAdmin = {
    ...clusterWithLateBroker([]),
    describe: (topic) => Promise.resolve({ ...SAFE, ...(topic === 'readings' ? readings : deadLetters) }),
    addPartitions: (topic, count) => Promise.resolve(void done.push([topic, count])),
    alter: (topic, config) => Promise.resolve(void done.push([topic, config])),
  };
  return { admin, done };
}

it('topics of earlier versions keep what producers compress, and a choice of the operator stays', async () => {
  const { admin, done } = existing({ compressionType: 'uncompressed' }, { compressionType: 'lz4' });
  expect(await adaptTopics(admin, CONFIG)).toEqual(['readings: compression.type=producer']);
  expect(done).toEqual([['readings', { 'compression.type': 'producer' }]]);
});

it('missing partitions are added, and no topic loses any', async () => {
  const { admin, done } = existing({ partitions: 6 }, { partitions: 3 });
  expect(await adaptTopics(admin, { ...CONFIG, TOPIC_PARTITIONS: 12 })).toEqual([
    'readings: 6 partitions became 12',
  ]);
  expect(await adaptTopics(admin, { ...CONFIG, TOPIC_PARTITIONS: 2 })).toEqual([]);
  expect(done).toEqual([['readings', 12]]);
});

const HOUR = 3_600_000;
it.each<[string, Partial<TopicState>, Partial<MigrateConfig>, Record<string, string>[]]>([
  ['is lengthened', { retentionMs: 24 * HOUR }, {}, [{ 'retention.ms': String(168 * HOUR) }]],
  ['is not shortened', { retentionMs: 720 * HOUR }, { TOPIC_RETENTION_HOURS: 24 }, []],
  ['stays where weak topics are allowed', { retentionMs: HOUR }, { ALLOW_WEAK_TOPIC: true }, []],
  ['is limited by size', {}, { TOPIC_RETENTION_GIB: 2 }, [{ 'retention.bytes': '2147483648' }]],
  ['keeps a limit that is not configured', { retentionBytes: 5_000 }, {}, []],
])('the retention %s', async (_, state, config, altered) => {
  const { admin, done } = existing(state);
  await adaptTopics(admin, { ...CONFIG, ...config });
  expect(done).toEqual(altered.map((entries) => ['readings', entries]));
});
