import { startLoop } from '@cellarman/concurrency';
import { fetchTopicHealth } from '@cellarman/kafka';
import type { KafkaConnection, PartitionState, TopicHealth } from '@cellarman/kafka';
import type { Logger } from '@cellarman/telemetry';

export interface PartitionWatch {
  /** The partitions as Kafka described them last. null: another sink fetches them, or Kafka does not respond. */
  latest(): { ageMs: number; partitions: PartitionState[] } | null;
  /** How much of the topic is not stored, of what Kafka deletes next: see {@link TopicHealth}. null as above. */
  unreadShare(): number | null;
  stop(): Promise<void>;
}

const INTERVAL_MS = 5_000;
const IDLE_MS = 1_000;
/** An older description is not reported: it would look like the present. */
const MAX_AGE_MS = 20_000;
const STOP_MS = 2_000;

/**
 * Fetches leaders, in-sync replicas and lag of the topic every few seconds. The lag that a consumer knows is that of its
 * last fetch: while ClickHouse is away it does not grow.
 */
export function watchPartitions(options: {
  connection: KafkaConnection;
  topic: string;
  groupId: string;
  /** Of the sinks that share the topic, one fetches. */
  isMine: () => boolean;
  logger: Logger;
}): PartitionWatch {
  const { connection, topic, groupId, isMine, logger } = options;
  let found: (TopicHealth & { at: number }) | undefined;

  const loop = startLoop({
    ...{ intervalMs: INTERVAL_MS, stopMs: STOP_MS, logger },
    failed: 'could not fetch the state of the partitions, retrying',
    async work() {
      if (!isMine()) {
        found = undefined;
        return IDLE_MS;
      }
      const health = await fetchTopicHealth(connection, { topic, groupId });
      found = { ...health, at: performance.now() };
      return INTERVAL_MS;
    },
  });

  function recent(): (TopicHealth & { ageMs: number }) | null {
    if (found === undefined) return null;
    const ageMs = performance.now() - found.at;
    return ageMs > MAX_AGE_MS ? null : { ...found, ageMs };
  }

  return {
    latest() {
      const health = recent();
      return health && { ageMs: health.ageMs, partitions: health.partitions };
    },
    unreadShare: () => recent()?.unreadShare ?? null,
    stop: loop.stop,
  };
}
