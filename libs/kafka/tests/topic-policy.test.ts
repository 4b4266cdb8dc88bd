import { expect, it } from 'vitest';
import { topicWeaknesses } from '../src/index.ts';
import type { TopicPolicy, TopicState } from '../src/index.ts';

const DAY = 86_400_000;
const policy: TopicPolicy = {
  partitions: 6,
  replicationFactor: 3,
  minInsyncReplicas: 2,
  retentionMs: 7 * DAY,
  maxMessageBytes: 1_048_588,
};
const good: TopicState = {
  partitions: 6,
  replicationFactor: 3,
  inSyncReplicas: 3,
  minInsyncReplicas: 2,
  uncleanLeaderElection: false,
  messageTimestampType: 'LogAppendTime',
  cleanupPolicy: 'delete',
  compressionType: 'producer',
  retentionMs: 7 * DAY,
  retentionBytes: -1,
  maxMessageBytes: 1_048_588,
};

it('finds nothing in a topic that is as demanded or stronger', () => {
  expect(topicWeaknesses(good, policy)).toEqual([]);
  expect(topicWeaknesses({ ...good, partitions: 12, minInsyncReplicas: 3, retentionMs: -1 }, policy)).toEqual(
    [],
  );
  expect(topicWeaknesses({ ...good, compressionType: 'lz4' }, policy)).toEqual([]);
});

it('accepts a limit by size that is demanded, or larger', () => {
  const limited = { ...policy, retentionBytes: 2_000_000_000 };
  for (const retentionBytes of [-1, 2_000_000_000, 3_000_000_000]) {
    expect(topicWeaknesses({ ...good, retentionBytes }, limited)).toEqual([]);
  }
  expect(topicWeaknesses({ ...good, retentionBytes: 1_000_000_000 }, limited)).toHaveLength(1);
});

it.each<[string, Partial<TopicState>, string]>([
  ['too few partitions', { partitions: 3 }, '3 partitions'],
  ['too few replicas', { replicationFactor: 1 }, '1 replicas'],
  ['an acknowledgement of one broker', { minInsyncReplicas: 1 }, 'min.insync.replicas is 1'],
  ['unclean elections', { uncleanLeaderElection: true }, 'unclean.leader.election.enable'],
  ["the device's time", { messageTimestampType: 'CreateTime' }, 'message.timestamp.type is CreateTime'],
  ['compaction', { cleanupPolicy: 'compact,delete' }, 'cleanup.policy is compact,delete'],
  ['a short retention', { retentionMs: DAY / 2 }, 'retention.ms keeps 0.5 days'],
  ['a retention by size', { retentionBytes: 1_000_000 }, 'retention.bytes is 1000000'],
  ['small messages', { maxMessageBytes: 1_000 }, 'max.message.bytes is 1000'],
])('names %s', (_, weak, words) => {
  const found = topicWeaknesses({ ...good, ...weak }, policy);

  expect(found).toHaveLength(1);
  expect(found[0]).toContain(words);
});
