import { DEAD_LETTER_MAX_BYTES } from '@cellarman/contracts';
import { partitionOf, ProduceError } from '@cellarman/kafka';
import type { ProducerPort } from '@cellarman/kafka';
import type { BadRow } from '../batch/batch.ts';
import { toDeadLetter } from './dead-letter-message.ts';

/** Resolves when all in-sync replicas have every one of them. It is safe to repeat: the origin identifies duplicates. */
export type PublishDeadLetters = (rows: readonly BadRow[]) => Promise<void>;

/** One send stays below what every broker takes; a larger message goes alone. */
const MAX_SEND_BYTES = 512 * 1024;
const MAX_SEND_MESSAGES = 1_000;
/** A topic that takes no message of this size takes none at all. */
const LEAST_BYTES = 4 * 1024;

/**
 * Publishes what is no reading as it was, with the reason and the place that it came from. What is too large for the topic
 * is cut: waiting would not make it smaller, and nothing behind it would be stored.
 */
export function createDeadLetterPublisher(options: {
  producer: ProducerPort;
  /** Where the dead letters go. */
  topic: string;
  /** Where the rows come from. */
  origin: string;
}): PublishDeadLetters {
  const { producer, topic, origin } = options;

  return async (rows) => {
    const partitions = producer.leaders(topic)?.length;
    if (partitions === undefined) {
      const error = { code: 'unreachable', retriable: true, partitions: [] } as const;
      throw new ProduceError(`the partitions of ${topic} are not known yet`, error);
    }
    const byPartition = Map.groupBy(rows, (row) => partitionOf(row.key ?? '', partitions));
    for (const [partition, bad] of byPartition) {
      for (const some of inSends(bad, origin)) await publish(partition, some, DEAD_LETTER_MAX_BYTES);
    }
  };

  async function publish(partition: number, rows: readonly BadRow[], maxBytes: number): Promise<void> {
    const letters = rows.map((row) => toDeadLetter(row, origin, maxBytes));
    try {
      await producer.send(topic, [{ partition, messages: letters.map(({ message }) => message) }]);
    } catch (error) {
      // The topic takes less than migration gave it.
      const isTooLarge = error instanceof ProduceError && error.code === 'too_large';
      if (!isTooLarge || maxBytes <= LEAST_BYTES) throw error;
      if (rows.length > 1) {
        const middle = Math.ceil(rows.length / 2);
        await publish(partition, rows.slice(0, middle), maxBytes);
        await publish(partition, rows.slice(middle), maxBytes);
      } else {
        const bytes = letters[0]?.bytes ?? 0;
        await publish(partition, rows, Math.max(LEAST_BYTES, Math.floor(bytes / 2)));
      }
    }
  }
}

function* inSends(rows: readonly BadRow[], origin: string): Generator<BadRow[]> {
  let send: BadRow[] = [];
  let sum = 0;
  for (const row of rows) {
    const { bytes } = toDeadLetter(row, origin, DEAD_LETTER_MAX_BYTES);
    if (send.length > 0 && (sum + bytes > MAX_SEND_BYTES || send.length === MAX_SEND_MESSAGES)) {
      yield send;
      send = [];
      sum = 0;
    }
    send.push(row);
    sum += bytes;
  }
  if (send.length > 0) yield send;
}
