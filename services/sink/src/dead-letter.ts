import { DEAD_LETTER_HEADERS } from '@cellarman/contracts';
import { partitionOf } from '@cellarman/kafka';
import type { ConsumedHeaders, MessageHeaders, ProducerMessage, ProducerPort } from '@cellarman/kafka';
import type { BadRow } from './batch.ts';

/** Resolves when all in-sync replicas have every one of them. Doing it again is safe: the origin tells them apart. */
export type PublishDeadLetters = (rows: readonly BadRow[]) => Promise<void>;

/** One send stays below what every broker takes; a larger message goes alone. */
const MAX_SEND_BYTES = 512 * 1024;
const MAX_SEND_MESSAGES = 1_000;

/** Headers are for people who look for the cause; a parser may quote a whole message. */
const MAX_REASON_LENGTH = 500;

/** Publishes what is no reading as it was, with the reason and the place that it came from. */
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
    if (partitions === undefined) throw new Error(`Kafka has not told the partitions of ${topic} yet`);
    const byPartition = Map.groupBy(rows, (row) => partitionOf(row.key ?? '', partitions));
    for (const [partition, bad] of byPartition) {
      for (const messages of inSends(bad.map((row) => toMessage(row, origin)))) {
        await producer.send(topic, [{ partition, messages }]);
      }
    }
  };
}

function toMessage(row: BadRow, origin: string): ProducerMessage {
  const headers: MessageHeaders = {
    ...single(row.headers),
    [DEAD_LETTER_HEADERS.reason]: row.reason.slice(0, MAX_REASON_LENGTH),
    [DEAD_LETTER_HEADERS.topic]: origin,
    [DEAD_LETTER_HEADERS.partition]: String(row.partition),
    [DEAD_LETTER_HEADERS.offset]: String(row.offset),
  };
  return { key: row.key ?? '', value: row.value ?? Buffer.alloc(0), headers };
}

/** A repeated header keeps its last value: the producer port knows one for each name. */
function single(headers: ConsumedHeaders): MessageHeaders {
  const values: Record<string, Buffer | string> = {};
  for (const [name, value] of Object.entries(headers)) {
    const last = Array.isArray(value) ? value.at(-1) : value;
    if (last !== undefined) values[name] = last;
  }
  return values;
}

function* inSends(messages: readonly ProducerMessage[]): Generator<ProducerMessage[]> {
  let send: ProducerMessage[] = [];
  let bytes = 0;
  for (const message of messages) {
    const size = message.value.length + message.key.length + MAX_REASON_LENGTH;
    if (send.length > 0 && (bytes + size > MAX_SEND_BYTES || send.length === MAX_SEND_MESSAGES)) {
      yield send;
      send = [];
      bytes = 0;
    }
    send.push(message);
    bytes += size;
  }
  if (send.length > 0) yield send;
}
