import { parseMessage } from '@cellarman/verification';
import type { ReadingFields } from '@cellarman/verification';
import type { Hour } from './hour.ts';
import { HOUR_MS } from './hour.ts';
import { keyOf } from './look-up.ts';
import type { Key } from './look-up.ts';
import { readMessages } from './read-hour.ts';
import type { TopicSource } from './read-hour.ts';

/**
 * Removes the readings that have a message elsewhere in the topic: one that was published again long after its receipt, as
 * a dead letter that was fixed, or by an ingest whose clock is wrong. Reads from the end of the hour on, then one hour back.
 */
export async function findPublished(
  source: TopicSource,
  hour: Hour,
  unknown: Map<Key, ReadingFields>,
): Promise<void> {
  const { toleranceMs } = source;
  const ranges = [
    { from: { timestampMs: hour.to + toleranceMs }, to: 'end' },
    {
      from: { timestampMs: hour.from - toleranceMs - HOUR_MS },
      to: { timestampMs: hour.from - toleranceMs },
    },
  ] as const;
  for (const range of ranges) {
    if (unknown.size === 0) return;
    for await (const { messages } of readMessages(source, range)) {
      for (const { value } of messages) {
        const parsed = parseMessage(value);
        if (parsed !== undefined) unknown.delete(keyOf(parsed.reading));
      }
      if (unknown.size === 0) break;
    }
  }
}
