import { CONTENT_TYPE, messageKey, SCHEMA_VERSION, TOPIC_HEADERS } from '@cellarman/contracts';
import type { TopicReading } from '@cellarman/reading';
import type { BadRow, Batch } from '../batch/batch.ts';

/**
 * The message of a row that ClickHouse rejected, made again from the line. It was checked against the contract before, so
 * key and headers are known; only its trace is not.
 */
export function rejectedLine(batch: Batch, row: number, reason: string): BadRow {
  const line = batch.lines(row, row + 1);
  const value = Buffer.from(line.subarray(0, line.length - 1));
  const reading = JSON.parse(value.toString()) as TopicReading;
  return {
    ...batch.origin(row),
    key: Buffer.from(messageKey(reading.cellar, reading.rack)),
    value,
    headers: { [TOPIC_HEADERS.contentType]: CONTENT_TYPE, [TOPIC_HEADERS.schemaVersion]: SCHEMA_VERSION },
    reason,
  };
}
