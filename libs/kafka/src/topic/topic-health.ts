import { withAdmin } from '../client/admin-session.ts';
import type { KafkaConnection } from '../client/kafka-connection.ts';

/** A partition as the brokers describe it now. */
export interface PartitionState {
  partition: number;
  /** The broker id. null: no leader. */
  leader: number | null;
  replicas: number;
  inSync: number;
  /** Messages after the committed offset of the group. null: the offsets are unknown. */
  lag: number | null;
}

export interface TopicHealth {
  partitions: PartitionState[];
  /**
   * The largest share of a partition's messages that the group has not committed, of partitions from which Kafka deletes:
   * at 1 the next deletion takes unread messages. null: unknown.
   */
  unreadShare: number | null;
}

const REQUEST_TIMEOUT_MS = 5_000;

/** Returns leader, replicas and lag of each partition. It does not depend on what a consumer has fetched. */
export async function fetchTopicHealth(
  connection: KafkaConnection,
  { topic, groupId }: { topic: string; groupId: string },
): Promise<TopicHealth> {
  return withAdmin(
    connection,
    async (admin) => {
      const { topics } = await admin.fetchTopicMetadata({ topics: [topic] });
      // Committed offsets first: the ends only grow, so that the lag is never too small.
      const [group] = await admin.fetchOffsets({ groupId, topics: [topic] });
      const committed = new Map(
        group?.partitions.map(({ partition, offset }) => [partition, BigInt(offset)]),
      );
      // Without a leader there is nobody to return the end of the partition.
      const bounds = await admin.fetchTopicOffsets(topic).catch(() => []);
      let unreadShare = bounds.length === 0 ? null : 0;
      const lags = new Map(
        bounds.map(({ partition, low, high }) => {
          const next = committed.get(partition) ?? -1n;
          const behind = BigInt(high) - (next < BigInt(low) ? BigInt(low) : next);
          const lag = Math.max(0, Number(behind));
          const held = Number(BigInt(high) - BigInt(low));
          if (low !== '0' && held > 0) unreadShare = Math.max(unreadShare ?? 0, lag / held);
          return [partition, lag];
        }),
      );
      const partitions = (topics[0]?.partitions ?? [])
        .map(({ partitionId: partition, leader, replicas, isr }) => ({
          partition,
          leader: leader < 0 ? null : leader,
          replicas: replicas.length,
          inSync: isr.length,
          lag: lags.get(partition) ?? null,
        }))
        .toSorted((a, b) => a.partition - b.partition);
      return { partitions, unreadShare };
    },
    { requestTimeoutMs: REQUEST_TIMEOUT_MS },
  );
}
