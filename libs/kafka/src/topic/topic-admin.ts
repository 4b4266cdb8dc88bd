import { setTimeout as delay } from 'node:timers/promises';
import kafkajs from 'kafkajs';
import type { Admin, ConfigEntries } from 'kafkajs';
import { withAdmin } from '../client/admin-session.ts';
import type { KafkaConnection } from '../client/kafka-connection.ts';
import { rootCause } from '../client/kafkajs-error.ts';
import { topicConfig } from './topic-policy.ts';
import type { TopicPolicy, TopicState } from './topic-policy.ts';

export interface TopicAdmin {
  /** Undefined when there is no such topic. */
  describe(topic: string): Promise<TopicState | undefined>;
  /** Creates a topic by the policy, unless it exists. Returns whether it created it; its leaders are known then. */
  createMissing(topic: string, policy: TopicPolicy): Promise<boolean>;
  /** Grows a topic to this number of partitions; their leaders are known then. Rejects when it has as many or more. */
  addPartitions(topic: string, partitions: number): Promise<void>;
  /** Sets these configuration entries and leaves the others of the topic as they are. */
  alter(topic: string, config: Readonly<Record<string, string>>): Promise<void>;
  delete(topic: string): Promise<void>;
}

// Node finds only the first few names of kafkajs's exports.
const { ConfigResourceTypes, ConfigSource } = kafkajs;

const REQUEST_TIMEOUT_MS = 10_000;
const LEADER_WAIT_MS = 15_000;
const LEADER_POLL_MS = 100;

export function createTopicAdmin(connection: KafkaConnection): TopicAdmin {
  const run = <T>(work: (admin: Admin) => Promise<T>): Promise<T> =>
    withAdmin(connection, work, { requestTimeoutMs: REQUEST_TIMEOUT_MS });

  return {
    describe: (topic) => run((admin) => describe(admin, topic)),
    createMissing: (topic, policy) =>
      run(async (admin) => {
        const creation = admin.createTopics({
          // kafkajs requests the leaders too early and takes "unknown topic" for a failure.
          waitForLeaders: false,
          // kafkajs's 5 seconds are not enough for a broker that is still starting on a busy machine.
          timeout: REQUEST_TIMEOUT_MS - 1_000,
          topics: [
            {
              topic,
              numPartitions: policy.partitions,
              replicationFactor: policy.replicationFactor,
              configEntries: Object.entries(topicConfig(policy)).map(([name, value]) => ({ name, value })),
            },
          ],
        });
        const made = await creation.catch((error: unknown) => {
          // kafkajs says neither which topic nor why.
          const [cause = error] =
            error instanceof Error && 'errors' in error ? (error.errors as unknown[]) : [];
          throw new Error(`The topic ${topic} cannot be created: ${rootCause(cause).message}`, { cause });
        });
        if (made) await waitForLeaders(admin, topic, policy.partitions);
        return made;
      }),
    addPartitions: (topic, count) =>
      run(async (admin) => {
        await admin.createPartitions({ topicPartitions: [{ topic, count }] });
        await waitForLeaders(admin, topic, count);
      }),
    alter: (topic, config) =>
      run(async (admin) => {
        // This request replaces the whole configuration of the topic, so what was set must be in it again.
        const entries = new Map<string, string>();
        for (const entry of await configOf(admin, topic)) {
          if (entry.configSource === ConfigSource.TOPIC_CONFIG)
            entries.set(entry.configName, entry.configValue);
        }
        for (const [name, value] of Object.entries(config)) entries.set(name, value);
        await admin.alterConfigs({
          validateOnly: false,
          resources: [
            {
              type: ConfigResourceTypes.TOPIC,
              name: topic,
              configEntries: Array.from(entries, ([name, value]) => ({ name, value })),
            },
          ],
        });
      }),
    delete: (topic) => run((admin) => admin.deleteTopics({ topics: [topic] })),
  };
}

async function describe(admin: Admin, topic: string): Promise<TopicState | undefined> {
  const partitions = await partitionsOf(admin, topic);
  if (partitions === undefined) return undefined;
  // Another broker may serve this request, and may not know the topic yet.
  const entries = await knownOrUndefined(configOf(admin, topic));
  if (entries === undefined) return undefined;
  const config = new Map(entries.map((entry) => [entry.configName, entry.configValue]));
  const text = (name: string): string => config.get(name) ?? 'unknown';
  return {
    partitions: partitions.length,
    replicationFactor: Math.min(...partitions.map(({ replicas }) => replicas.length)),
    inSyncReplicas: Math.min(...partitions.map(({ isr }) => isr.length)),
    minInsyncReplicas: Number(text('min.insync.replicas')),
    uncleanLeaderElection: text('unclean.leader.election.enable') !== 'false',
    messageTimestampType: text('message.timestamp.type'),
    cleanupPolicy: text('cleanup.policy'),
    compressionType: text('compression.type'),
    retentionMs: Number(text('retention.ms')),
    retentionBytes: Number(text('retention.bytes')),
    maxMessageBytes: Number(text('max.message.bytes')),
  };
}

async function partitionsOf(
  admin: Admin,
  topic: string,
): Promise<{ replicas: number[]; isr: number[] }[] | undefined> {
  const metadata = await knownOrUndefined(admin.fetchTopicMetadata({ topics: [topic] }));
  return metadata?.topics[0]?.partitions;
}

/** Returns the response, or undefined when the broker does not know the topic. */
async function knownOrUndefined<T>(response: Promise<T>): Promise<T | undefined> {
  try {
    return await response;
  } catch (error) {
    if (rootCause(error).type === 'UNKNOWN_TOPIC_OR_PARTITION') return undefined;
    throw error;
  }
}

async function configOf(admin: Admin, topic: string): Promise<ConfigEntries[]> {
  const { resources } = await admin.describeConfigs({
    includeSynonyms: false,
    resources: [{ type: ConfigResourceTypes.TOPIC, name: topic }],
  });
  return resources[0]?.configEntries ?? [];
}

async function waitForLeaders(admin: Admin, topic: string, count: number): Promise<void> {
  const deadline = performance.now() + LEADER_WAIT_MS;
  for (;;) {
    const partitions = await partitionsOf(admin, topic).catch((error: unknown) => {
      if (performance.now() > deadline) throw error;
      return undefined;
    });
    if (partitions !== undefined && partitions.length >= count) return;
    if (performance.now() > deadline)
      throw new Error(`The partitions of ${topic} were created, but get no leaders`);
    await delay(LEADER_POLL_MS);
  }
}
