import { readRange } from '@cellarman/kafka';
import type { KafkaConnection } from '@cellarman/kafka';
import { DEAD_LETTER_HEADERS } from '@cellarman/contracts';
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
  /** undefined: the value is no reading, it belongs into the dead letters. */
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

/** Where the dead letters of a topic come from, as `partition:offset`. */
export async function deadLetterOrigins(source: TopicSource): Promise<Set<string>> {
  const origins = new Set<string>();
  for await (const batch of readRange({ ...source, from: 'start', to: 'end' })) {
    for (const { headers } of batch.messages) {
      origins.add(
        `${String(headers?.[DEAD_LETTER_HEADERS.partition])}:${String(headers?.[DEAD_LETTER_HEADERS.offset])}`,
      );
    }
  }
  return origins;
}
