import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { messageKey, READINGS_TOPIC } from '@cellarman/contracts';
import type { TopicReading } from '@cellarman/reading';
import { createKafkaConsumer, fetchLogBounds, partitionOf, silentLogger } from '@cellarman/kafka';
import type { ConsumedMessage, KafkaConnection } from '@cellarman/kafka';

export interface FollowTopicOptions {
  access: Pick<KafkaConnection, 'brokers' | 'tls' | 'sasl'>;
  cellar: string;
  /** Left out: all of the cellar. */
  rack?: string | undefined;
  stop: AbortSignal;
  /** From now on nothing is missed. */
  onReady: () => void;
  onReading: (reading: TopicReadingText) => Promise<void>;
}

export interface TopicReadingText {
  /** The value of the record, as it is. */
  text: string;
  reading: TopicReading;
}

/** Reads what comes into the topic from now on, and leaves nothing behind: no offsets are committed. */
export async function followTopic(options: FollowTopicOptions): Promise<void> {
  const { access, cellar, rack, stop } = options;
  const connection = { ...access, clientId: 'cellarman-tail', logger: silentLogger };
  const bounds = await fetchLogBounds(connection, READINGS_TOPIC);
  // Kept in step with what was shown: after a rebalance reading begins there again.
  const next = new Map(Array.from(bounds, ([partition, { high }]) => [partition, high]));
  const partition = rack === undefined ? undefined : partitionOf(messageKey(cellar, rack), bounds.size);
  const isWanted = wanted(cellar, rack);

  const ready = Promise.withResolvers<undefined>();
  const consumer = createKafkaConsumer({
    connection,
    topic: READINGS_TOPIC,
    groupId: `cellarman-tail-${randomUUID()}`,
    startAt: next,
    handler: {
      onAssigned: ({ start }) => {
        if (partition !== undefined) consumer.pause([...start.keys()].filter((other) => other !== partition));
        ready.resolve(undefined);
      },
      onBatch: async (batch, { signal }) => {
        for (const message of batch.messages) {
          if (signal.aborted || stop.aborted) return;
          const reading = isWanted(message) ? readingOf(message) : undefined;
          if (reading !== undefined) await options.onReading(reading);
          next.set(batch.partition, BigInt(message.offset) + 1n);
        }
      },
    },
  });
  const stopped = stop.aborted ? Promise.resolve() : once(stop, 'abort');
  try {
    await consumer.start();
    await Promise.race([ready.promise, consumer.done, stopped]);
    if (!stop.aborted) options.onReady();
    await Promise.race([consumer.done, stopped]);
  } finally {
    await consumer.stop();
  }
}

/** By the key of the record, so that nothing else has to be decoded. */
function wanted(cellar: string, rack: string | undefined): (message: ConsumedMessage) => boolean {
  const prefix = Buffer.from(messageKey(cellar, rack ?? ''));
  return ({ key }) =>
    key !== null && (rack === undefined ? key.subarray(0, prefix.length) : key).equals(prefix);
}

/** Returns undefined for a foreign message in the topic; the sink has a dead letter of it. */
function readingOf({ value }: ConsumedMessage): TopicReadingText | undefined {
  const text = value?.toString() ?? '';
  try {
    const reading = JSON.parse(text) as Partial<TopicReading> | null;
    const { rack, keg, value: number, timestamp } = reading ?? {};
    const isReading = [rack, keg, timestamp].every((field) => typeof field === 'string');
    return isReading && typeof number === 'number' ? { text, reading: reading as TopicReading } : undefined;
  } catch {
    return undefined;
  }
}
