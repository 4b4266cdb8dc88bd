/** What a topic must be so that nothing acknowledged is lost and nothing is deleted early. */
export interface TopicPolicy {
  readonly partitions: number;
  readonly replicationFactor: number;
  readonly minInsyncReplicas: number;
  /** At least this long. */
  readonly retentionMs: number;
  /** Each partition at least this large; -1 is without bound. @default -1 */
  readonly retentionBytes?: number;
  /** At least this large. */
  readonly maxMessageBytes: number;
}

/** What a topic is. `retentionMs` and `retentionBytes` of -1 mean for ever and without bound. */
export interface TopicState {
  readonly partitions: number;
  /** The smallest of its partitions. */
  readonly replicationFactor: number;
  /** The fewest of any partition, now. Fewer than the replication factor: a broker is away or catching up. */
  readonly inSyncReplicas: number;
  readonly minInsyncReplicas: number;
  readonly uncleanLeaderElection: boolean;
  readonly messageTimestampType: string;
  readonly cleanupPolicy: string;
  readonly compressionType: string;
  readonly retentionMs: number;
  readonly retentionBytes: number;
  readonly maxMessageBytes: number;
}

const DAY_MS = 86_400_000;

/** Brokers store batches as their producers have compressed them. With any other value they would compress all again. */
export const COMPRESSION_TYPE = 'producer';

/** Where the topic is weaker than demanded, each in words that an operator understands. Empty when it is not. */
export function topicWeaknesses(topic: TopicState, policy: TopicPolicy): string[] {
  const { retentionBytes = -1 } = policy;
  const weaknesses: string[] = [];
  const demand = (holds: boolean, text: string): void => {
    if (!holds) weaknesses.push(text);
  };
  demand(
    topic.partitions >= policy.partitions,
    `it has ${topic.partitions} partitions, ${policy.partitions} are demanded`,
  );
  demand(
    topic.replicationFactor >= policy.replicationFactor,
    `it keeps ${topic.replicationFactor} replicas, ${policy.replicationFactor} are demanded: a lost broker can lose acknowledged readings`,
  );
  demand(
    topic.minInsyncReplicas >= policy.minInsyncReplicas,
    `min.insync.replicas is ${topic.minInsyncReplicas}, ${policy.minInsyncReplicas} is demanded: a reading can be acknowledged by fewer brokers`,
  );
  demand(
    !topic.uncleanLeaderElection,
    'unclean.leader.election.enable is true: a replica that lags can become leader and drop acknowledged readings',
  );
  demand(
    topic.messageTimestampType === 'LogAppendTime',
    `message.timestamp.type is ${topic.messageTimestampType}, LogAppendTime is demanded: the time of a device would decide when Kafka deletes`,
  );
  demand(
    topic.cleanupPolicy === 'delete',
    `cleanup.policy is ${topic.cleanupPolicy}, delete is demanded: compaction keeps one reading per rack`,
  );
  demand(
    topic.retentionMs === -1 || topic.retentionMs >= policy.retentionMs,
    `retention.ms keeps ${days(topic.retentionMs)} days, ${days(policy.retentionMs)} are demanded`,
  );
  demand(
    topic.retentionBytes === -1 || (retentionBytes !== -1 && topic.retentionBytes >= retentionBytes),
    `retention.bytes is ${topic.retentionBytes}, ${retentionBytes} is demanded: readings can be deleted before their time, unread`,
  );
  demand(
    topic.maxMessageBytes >= policy.maxMessageBytes,
    `max.message.bytes is ${topic.maxMessageBytes}, ${policy.maxMessageBytes} is demanded: batches would be rejected`,
  );
  return weaknesses;
}

/** The policy as the configuration of a new topic. */
export function topicConfig(policy: TopicPolicy): Record<string, string> {
  return {
    'min.insync.replicas': String(policy.minInsyncReplicas),
    'unclean.leader.election.enable': 'false',
    'message.timestamp.type': 'LogAppendTime',
    'cleanup.policy': 'delete',
    'compression.type': COMPRESSION_TYPE,
    'retention.ms': String(policy.retentionMs),
    'retention.bytes': String(policy.retentionBytes ?? -1),
    'max.message.bytes': String(policy.maxMessageBytes),
  };
}

const days = (ms: number): string => String(Math.round((ms / DAY_MS) * 100) / 100);
