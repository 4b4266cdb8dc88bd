import { randomUUID } from 'node:crypto';
import type { IngestHealth, PartitionHealth, SinkHealth } from '@cellarman/contracts';

const replica = () => ({
  process: randomUUID(),
  host: `host-${randomUUID().slice(0, 8)}`,
  version: '1.2.3',
  uptimeSeconds: 60,
  isStopping: false,
  windowSeconds: 30,
  notReady: [],
});

/** The report of a healthy ingest. */
export function ingestHealth(change: Partial<IngestHealth> = {}): IngestHealth {
  return {
    ...replica(),
    ...{ accepted: 1_500, rejected: 30, failed: 0, waitingReadings: 0, failingPartitions: [] },
    acknowledgeMs: { p50: 3.1, p99: 6.2 },
    ...change,
  };
}

/** The report of a healthy sink that consumes both partitions. */
export function sinkHealth(change: Partial<SinkHealth> = {}): SinkHealth {
  return {
    ...replica(),
    ...{ stored: 1_500, deadLetters: 0, behindMs: 240, partitions: [0, 1], hasFailed: false },
    storeMs: { p50: 12, p99: 40 },
    topic: { ageMs: 500, partitions: [partition(0), partition(1)] },
    ...change,
  };
}

export function partition(number: number, change: Partial<PartitionHealth> = {}): PartitionHealth {
  return { partition: number, leader: 1, replicas: 3, inSync: 3, lag: 0, ...change };
}
