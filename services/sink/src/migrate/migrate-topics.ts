import { DEAD_LETTER_MAX_BYTES, DEAD_LETTER_RETENTION_DAYS, READINGS_MAX_BYTES } from '@cellarman/contracts';
import { COMPRESSION_TYPE, topicWeaknesses } from '@cellarman/kafka';
import type { TopicAdmin, TopicPolicy, TopicState } from '@cellarman/kafka';
import type { MigrateConfig } from '../config.ts';
import { retryUntilDone } from '@cellarman/concurrency';

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;
const GIB = 2 ** 30;
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
        // Readings wait this long for a sink or another consumer that is away.
        retentionMs: config.TOPIC_RETENTION_HOURS * HOUR_MS,
        retentionBytes: config.TOPIC_RETENTION_GIB * GIB || -1,
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

/** Creates the topics that are missing and returns their names. */
export async function createTopics(admin: TopicAdmin, config: MigrateConfig): Promise<string[]> {
  const created: string[] = [];
  for (const { topic, policy } of wantedTopics(config)) {
    const exists = (await admin.describe(topic)) !== undefined;
    if (!exists && (await admin.createMissing(topic, policy))) created.push(topic);
  }
  return created;
}

/**
 * Adds missing partitions and changes what of a topic's configuration is less than wanted. Never shortens a retention, and
 * leaves everything else as an operator has set it. Returns what it changed.
 */
export async function adaptTopics(admin: TopicAdmin, config: MigrateConfig): Promise<string[]> {
  const changed: string[] = [];
  for (const { topic, policy } of wantedTopics(config)) {
    const state = await admin.describe(topic);
    if (state === undefined) continue;
    if (state.partitions < policy.partitions) {
      await admin.addPartitions(topic, policy.partitions);
      changed.push(`${topic}: ${state.partitions} partitions became ${policy.partitions}`);
    }
    const entries = entriesToChange(state, policy, config);
    if (Object.keys(entries).length === 0) continue;
    await admin.alter(topic, entries);
    changed.push(...Object.entries(entries).map(([name, value]) => `${topic}: ${name}=${value}`));
  }
  return changed;
}

function entriesToChange(
  state: TopicState,
  { retentionMs, retentionBytes = -1 }: TopicPolicy,
  { ALLOW_WEAK_TOPIC: isWeakAllowed }: MigrateConfig,
): Record<string, string> {
  const isTooShort = state.retentionMs !== -1 && state.retentionMs < retentionMs && !isWeakAllowed;
  return {
    // Earlier versions made topics in which brokers decompress.
    ...(state.compressionType === 'uncompressed' && { 'compression.type': COMPRESSION_TYPE }),
    ...(isTooShort && { 'retention.ms': String(retentionMs) }),
    // Without a configured limit, one that the topic has remains: the check rejects it.
    ...(retentionBytes !== -1 &&
      state.retentionBytes !== retentionBytes && { 'retention.bytes': String(retentionBytes) }),
  };
}

/** Checks the topics, with patience: any broker may serve the request, and one of them may not know of a change yet. */
export async function awaitSafeTopics(
  admin: TopicAdmin,
  config: MigrateConfig,
  { isChanged }: { isChanged: boolean },
): Promise<void> {
  const deadline = performance.now() + METADATA_DEADLINE_MS;
  const mayBeLate = (error: unknown): boolean => isChanged || error instanceof MissingTopic;
  await retryUntilDone(() => checkTopics(admin, config), {
    isFinal: (error) => !mayBeLate(error) || performance.now() > deadline,
    onRetry: () => undefined,
    maxDelayMs: 1_000,
  });
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
