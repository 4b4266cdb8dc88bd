import type { IngestStored } from '@cellarman/contracts';
import type { PartitionReplicas } from '@cellarman/kafka';

/** Describes where Kafka stored a reading, for clients that prefer a representation. */
export type DescribeStored = (
  partition: number,
  offset: number | undefined,
  acknowledgedAfterMs: number,
) => IngestStored;

export function createDescribeStored(
  topic: string,
  replicasOf: (partition: number) => PartitionReplicas | undefined,
): DescribeStored {
  return (partition, offset, acknowledgedAfterMs) => {
    const known = replicasOf(partition);
    return {
      topic,
      partition,
      ...(offset !== undefined && { offset }),
      ...(known !== undefined && {
        replicas: known.replicas,
        in_sync_replicas: known.inSync,
        replicas_checked_at: new Date(known.checkedAt).toISOString(),
      }),
      // The wall clock may have been set back.
      acknowledged_after_ms: Math.max(0, acknowledgedAfterMs),
    };
  };
}
