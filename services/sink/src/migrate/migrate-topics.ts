import { DEAD_LETTER_MAX_BYTES, DEAD_LETTER_RETENTION_DAYS, READINGS_MAX_BYTES } from '@cellarman/contracts';
import { COMPRESSION_TYPE, topicWeaknesses } from '@cellarman/kafka';
import type { TopicAdmin, TopicPolicy } from '@cellarman/kafka';
import type { MigrateConfig } from '../config.ts';
import { retryUntilDone } from '@cellarman/concurrency';

const DAY_MS = 86_400_000;

/** Readings wait this long for a sink or another consumer that is away. */
const READINGS_RETENTION_MS = 7 * DAY_MS;
/** Below these numbers one broken disk can lose what was acknowledged. */
const SAFE = { replicationFactor: 3, minInsyncReplicas: 2 };

/** A broker that hears of a topic this much later than the one that made it is out of order. */
const METADATA_DEADLINE_MS = 30_000;

export class WeakTopic extends Error {
  override name = 'WeakTopic';
}

class MissingTopic extends Error {
  override name = 'MissingTopic';
}

interface WantedTopic {
  topic: string;
  policy: TopicPolicy;
}

/** What the topics must be. */
export function wantedTopics(config: MigrateConfig): WantedTopic[] {
  const strength = {
    replicationFactor: config.TOPIC_REPLICATION_FACTOR,
    minInsyncReplicas: config.TOPIC_MIN_INSYNC_REPLICAS,
  };
  return [
    {
      topic: config.READINGS_TOPIC,
      policy: {
        ...strength,
        partitions: config.TOPIC_PARTITIONS,
        retentionMs: READINGS_RETENTION_MS,
        maxMessageBytes: READINGS_MAX_BYTES,
      },
    },
    {
      topic: config.DEAD_LETTER_TOPIC,
      policy: {
        ...strength,
        partitions: 1,
        retentionMs: DEAD_LETTER_RETENTION_DAYS * DAY_MS,
        maxMessageBytes: DEAD_LETTER_MAX_BYTES,
      },
    },
  ];
}

/** Makes the topics that are missing and returns their names. What exists is only checked: see {@link checkTopics}. */
export async function migrateTopics(admin: TopicAdmin, config: MigrateConfig): Promise<string[]> {
  const made: string[] = [];
  for (const { topic, policy } of wantedTopics(config)) {
    const exists = (await admin.describe(topic)) !== undefined;
    if (!exists && (await admin.createMissing(topic, policy))) made.push(topic);
  }
  // Any broker may serve the request, and one of them may not know a new topic yet.
  const deadline = performance.now() + METADATA_DEADLINE_MS;
  await retryUntilDone(() => checkTopics(admin, config), {
    isFinal: (error) => !(error instanceof MissingTopic) || performance.now() > deadline,
    onRetry: () => undefined,
    maxDelayMs: 1_000,
  });
  return made;
}

/**
 * Lets brokers keep what producers compress. Earlier versions made topics in which they decompress it. Any other value is an
 * operator's choice. Returns the topics that it changed.
 */
export async function keepCompression(admin: TopicAdmin, config: MigrateConfig): Promise<string[]> {
  const changed: string[] = [];
  for (const { topic } of wantedTopics(config)) {
    if ((await admin.describe(topic))?.compressionType !== 'uncompressed') continue;
    await admin.alter(topic, { 'compression.type': COMPRESSION_TYPE });
    changed.push(topic);
  }
  return changed;
}

/**
 * Rejects topics that could lose what was acknowledged, whatever the configuration says, unless ALLOW_WEAK_TOPIC.
 *
 * @throws {MissingTopic} when the broker that serves the request does not know a topic
 * @throws {WeakTopic} with every weakness
 */
export async function checkTopics(admin: TopicAdmin, config: MigrateConfig): Promise<void> {
  const problems: string[] = [];
  for (const { topic, policy } of wantedTopics(config)) {
    const state = await admin.describe(topic);
    if (state === undefined) {
      throw new MissingTopic(`the topic ${topic} does not exist: \`sink migrate\` makes it`);
    }
    if (config.ALLOW_WEAK_TOPIC) continue;
    const demanded = {
      ...policy,
      replicationFactor: Math.max(policy.replicationFactor, SAFE.replicationFactor),
      minInsyncReplicas: Math.max(policy.minInsyncReplicas, SAFE.minInsyncReplicas),
    };
    problems.push(...topicWeaknesses(state, demanded).map((weakness) => `${topic}: ${weakness}`));
  }
  if (problems.length > 0) {
    throw new WeakTopic(
      `the topics are not safe (ALLOW_WEAK_TOPIC=true accepts that, for development):\n${problems.map((problem) => `  - ${problem}`).join('\n')}`,
    );
  }
}
