import { readRange } from '@cellarman/kafka';
import type { KafkaConnection } from '@cellarman/kafka';
import { parseMessage } from '@cellarman/verification';
import type { ReadingFields } from '@cellarman/verification';

export interface TimeRange {
  /** Milliseconds since 1970, inclusive; undefined: from the first record that is there. */
  from: number | undefined;
  /** Exclusive; undefined: up to the end as of now. */
  to: number | undefined;
}

export interface TopicRecord {
  partition: number;
  offset: string;
  /** When the broker took it, in milliseconds since 1970. */
  appendedAt: number;
  /** undefined: not a reading, so it belongs to the dead letters. */
  reading: ReadingFields | undefined;
}

export interface TopicSource {
  connection: KafkaConnection;
  topic: string;
}

/** The records that the broker appended in a range of time. Commits nothing. */
export async function* readTopic(
  source: TopicSource,
  range: TimeRange,
): AsyncGenerator<TopicRecord, void, undefined> {
  const from = range.from === undefined ? 'start' : { timestampMs: range.from };
  const to = range.to === undefined || range.to >= Date.now() ? 'end' : { timestampMs: range.to };
  for await (const batch of readRange({ ...source, from, to })) {
    for (const { value, offset, timestamp } of batch.messages) {
      yield {
        partition: batch.partition,
        offset,
        appendedAt: Number(timestamp),
        reading: parseMessage(value)?.reading,
      };
    }
  }
}
