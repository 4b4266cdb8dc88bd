import { createRequire } from 'node:module';
import type { Message, Producer, RecordMetadata } from 'kafkajs';
import { ProduceError } from './produce-error.ts';
import type { Compression } from './compress-records.ts';
import type { BaseOffsets, PartitionMessages } from './producer-port.ts';
import { encodeRecordBatch } from './record-batch.ts';

/** Part of our patch of kafkajs. Without the patch this fails immediately, instead of storing invalid records later. */
const ENCODED = createRequire(import.meta.url)('kafkajs/src/protocol/recordBatch/v0/encoded') as symbol;

/**
 * Sends with kafkajs, and verifies its success: every partition of the send must be in its result with an offset. Returns these
 * offsets. Rejects with a `ProduceError` of code `not_acknowledged` otherwise, and of code `invalid` when it cannot be sent at
 * all.
 *
 * kafkajs 2.2.4 resolves although it lost messages: when a send spans leaders and one of them fails, only the leaders
 * without a response are retried. A partition that has moved to a leader that has responded is never sent. It also drops a
 * partition that its metadata does not contain. In both cases the partition is missing in the result.
 */
export async function sendGuarded(
  producer: Pick<Producer, 'send'>,
  topic: string,
  batches: readonly PartitionMessages[],
  { acknowledgeTimeoutMs, compression }: { acknowledgeTimeoutMs: number; compression?: Compression },
): Promise<BaseOffsets> {
  const messages = encoded(batches, compression);
  const result = await producer.send({
    topic,
    acks: -1,
    timeout: acknowledgeTimeoutMs,
    messages,
  });
  const acknowledged = new Map<number, number>();
  for (const record of result) {
    const offset = baseOffsetOf(record);
    if (record.topicName === topic && record.errorCode === 0 && offset >= 0) {
      acknowledged.set(record.partition, offset);
    }
  }
  const missing = batches
    .map(({ partition }) => partition)
    .filter((partition) => !acknowledged.has(partition));
  if (missing.length === 0) return acknowledged;
  throw new ProduceError(`Kafka acknowledged the send, but not for partition ${missing.join(', ')}`, {
    code: 'not_acknowledged',
    retriable: true,
    partitions: missing,
    acknowledged,
  });
}

/** Below zero: there is none. */
function baseOffsetOf({ baseOffset, offset }: RecordMetadata): number {
  return Number(baseOffset ?? offset ?? -1);
}

/** A bug of ours must not look like a broker that does not respond: the caller would retry forever. */
function encoded(batches: readonly PartitionMessages[], compression?: Compression): Message[] {
  try {
    return toKafkajs(batches, compression);
  } catch (cause) {
    const partitions = batches.map(({ partition }) => partition);
    const error = { code: 'invalid', retriable: false, partitions, cause } as const;
    throw new ProduceError(`Not valid messages: ${String(cause)}`, error);
  }
}

/** For kafkajs each partition has one message, which is its whole batch. */
function toKafkajs(batches: readonly PartitionMessages[], compression?: Compression): Message[] {
  const now = Date.now();
  return batches.map(({ partition, messages }) => {
    const message: Message = { partition, value: null };
    return Object.assign(message, { [ENCODED]: encodeRecordBatch(messages, now, compression) });
  });
}
