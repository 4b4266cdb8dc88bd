import type { PartitionQueue } from './partition-queue.ts';

export interface BatchLimits {
  /** Encoding them must not hold up other work: 2,000 take about 2 ms. */
  readonly maxBatchMessages: number;
  /** Below the topic's max.message.bytes. */
  readonly maxBatchBytes: number;
}

/**
 * Picks what a lane sends next: of the partitions that are ready as much as fits into one send. The partition
 * that goes first changes with every send, so that a busy one does not starve the others.
 */
export function fillBatch(
  ready: readonly PartitionQueue[],
  first: number,
  { maxBatchMessages, maxBatchBytes }: BatchLimits,
): PartitionQueue[] {
  const picked: PartitionQueue[] = [];
  let messages = 0;
  let bytes = 0;
  for (let i = 0; i < ready.length && messages < maxBatchMessages; i++) {
    const queue = ready[(first + i) % ready.length];
    if (queue === undefined) continue;
    if (picked.length > 0 && bytes + queue.nextBytes > maxBatchBytes) continue;
    for (const pending of queue.take(maxBatchMessages - messages, maxBatchBytes - bytes)) {
      messages++;
      bytes += pending.wireBytes;
    }
    picked.push(queue);
  }
  return picked;
}
