import type { RecordMetadata } from 'kafkajs';

/**
 * The partitions of a send that kafkajs's result does not acknowledge.
 *
 * kafkajs 2.2.4 resolves although it lost messages: when one send spans leaders and one of them fails, it asks
 * again only the leaders that have not answered yet. A partition that meanwhile moved to a leader that has
 * answered is never sent. It also drops a partition that its metadata does not know. In both cases the
 * partition is missing in the result.
 */
export function unacknowledgedPartitions(
  topic: string,
  sent: readonly number[],
  result: readonly RecordMetadata[],
): number[] {
  const acknowledged = new Set<number>();
  for (const record of result) {
    if (record.topicName === topic && record.errorCode === 0 && hasOffset(record)) {
      acknowledged.add(record.partition);
    }
  }
  return sent.filter((partition) => !acknowledged.has(partition));
}

function hasOffset({ baseOffset, offset }: RecordMetadata): boolean {
  const first = baseOffset ?? offset;
  return first !== undefined && !first.startsWith('-');
}
