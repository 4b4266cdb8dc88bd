import { withAdmin } from '../client/admin-session.ts';
import type { KafkaConnection } from '../client/kafka-connection.ts';

/**
 * Whether a group has committed everything that the brokers wrote before a moment, in every partition. For topics with
 * LogAppendTime; nothing can come in before a moment that is past.
 */
export async function isConsumedUntil(
  connection: KafkaConnection,
  { topic, groupId, timestampMs }: { topic: string; groupId: string; timestampMs: number },
): Promise<boolean> {
  return withAdmin(connection, async (admin) => {
    // The committed offsets first: they only grow, so the result is never too high.
    const [answer] = await admin.fetchOffsets({ groupId, topics: [topic] });
    const committed = new Map(
      (answer?.partitions ?? []).map(({ partition, offset }) => [partition, BigInt(offset)]),
    );
    const [ends, held] = await Promise.all([
      admin.fetchTopicOffsetsByTimestamp(topic, timestampMs),
      admin.fetchTopicOffsets(topic),
    ]);
    const firstHeld = new Map(held.map(({ partition, low }) => [partition, BigInt(low)]));
    return ends.every(({ partition, offset }) => {
      const end = BigInt(offset);
      // Where nothing was written before that moment, nobody may ever have committed.
      return end <= (firstHeld.get(partition) ?? 0n) || (committed.get(partition) ?? -1n) >= end;
    });
  });
}
