import { fetchLogBounds, fetchOffsetsAt, readRange } from '@cellarman/kafka';
import type { KafkaConnection, RangeBound } from '@cellarman/kafka';
import { parseMessage } from '@cellarman/verification';
import type { ReadingFields } from '@cellarman/verification';
import { bucketOf, isWithin, momentOf } from './hour.ts';
import type { Hour } from './hour.ts';

export interface TopicSource {
  connection: KafkaConnection;
  topic: string;
  /** The name of the group of a reader begins with it. */
  groupId: string;
  toleranceMs: number;
  /** Resolves when this number of further messages may be read. */
  pace: (messages: number) => Promise<void>;
}

export interface HourMessage {
  partition: number;
  offset: number;
  key: Buffer | null;
  bucket: number;
  /** It counts when it was appended, not when it was received. */
  isLate: boolean;
  /** Undefined: not a reading, so it belongs to the dead letters. */
  reading: ReadingFields | undefined;
}

/** In memory a response takes five times as much; a batch is parsed within a few milliseconds. */
const LIMITS = { maxBytes: 1024 * 1024, maxBytesPerPartition: 128 * 1024 };

/** The messages that belong to an hour, batch by batch, from the offsets where they can be. Commits nothing. */
export async function* readHour(
  source: TopicSource,
  hour: Hour,
  range: { from: RangeBound; to: RangeBound },
): AsyncGenerator<HourMessage[], void, undefined> {
  for await (const { partition, messages } of readMessages(source, range)) {
    const found: HourMessage[] = [];
    for (const { key, value, offset, timestamp } of messages) {
      const parsed = parseMessage(value);
      const receivedAt = parsed?.receivedAt ?? NaN;
      const moment = momentOf(receivedAt, Number(timestamp), source.toleranceMs);
      if (!isWithin(hour, moment)) continue;
      found.push({
        ...{ partition, offset: Number(offset), key, reading: parsed?.reading },
        ...{ bucket: bucketOf(hour, moment), isLate: moment !== receivedAt },
      });
    }
    yield found;
  }
}

/** The messages of a range, at the pace of the source. */
export async function* readMessages(
  { connection, topic, groupId, pace }: Omit<TopicSource, 'toleranceMs'>,
  range: { from: RangeBound; to: RangeBound },
) {
  for await (const batch of readRange({ connection, topic, groupId, ...range, limits: LIMITS })) {
    yield batch;
    await pace(batch.messages.length);
  }
}

/**
 * Where the messages of an hour can be, in each partition, as far as Kafka still has them all.
 *
 * @returns undefined when Kafka may have deleted some
 */
export async function rangeOfHour({ connection, topic, toleranceMs }: TopicSource, hour: Hour) {
  const [from, to] = await Promise.all([
    fetchOffsetsAt(connection, topic, hour.from - toleranceMs),
    fetchOffsetsAt(connection, topic, hour.to + toleranceMs),
  ]);
  // After the offsets, so that nothing is deleted unnoticed in between.
  const bounds = await fetchLogBounds(connection, topic);
  for (const [partition, { low }] of bounds) {
    if (low > 0n && (from.get(partition) ?? 0n) <= low) return undefined;
  }
  return { from, to };
}
