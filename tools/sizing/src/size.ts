import { readingsPerSecond } from './fleet.ts';
import type { Fleet } from './fleet.ts';
import { BY_HAND, measured } from './measurements.ts';
import { bytesPerReading, chooseLinger, messagesPerBatch } from './record-batch.ts';

/** The share of a core and of a disk that is used at the planned rate: the rest is for peaks, restarts and merges. */
export const CPU_USE = 0.5;
const DISK_USE = 0.7;
const FEWEST_PARTITIONS = 6;
/** So that racks remain spread evenly when sinks are added. */
const PARTITION_COUNTS = [6, 12, 24, 48, 96, 192, 384, 768, 1_536];
const KEY_CACHE_DEFAULT = 200_000;
const DAY_SECONDS = 86_400;

/** What a fleet needs. Rates per second, CPU in cores of the measured machine at the planned rate, bytes on disk. */
export interface Size {
  readings: number;
  requests: number;
  replicas: { ingest: number; sink: number; keyService: number; query: number };
  /** Without reserve. */
  cores: { ingest: number; kafka: number; sink: number; clickhouse: number };
  partitions: number;
  lingerMs: number;
  messagesPerBatch: number;
  topicBytesPerReading: number;
  disks: { kafka: number; clickhouse: number; postgres: number; redis: number };
  /** Memory limit of a pod of ingest, and the keys that it keeps. */
  ingest: { memoryMiB: number; keyCacheSize: number };
}

export function size(fleet: Fleet): Size {
  const readings = readingsPerSecond(fleet);
  const batch = fleet.readingsPerRequest;
  const cores = {
    ingest: (readings * perReading(measured('ingestCpuOfSingle'), measured('ingestCpuInBatch'), batch)) / 1e6,
    // One broker was measured; each copy costs as much at most.
    kafka:
      (readings *
        fleet.kafkaReplicas *
        perReading(measured('kafkaCpuOfSingle'), measured('kafkaCpuInBatch'), batch)) /
      1e6,
    sink: (readings * measured('sinkCpu')) / 1e6,
    clickhouse: (readings * fleet.clickhouseReplicas * (measured('insertCpu') + BY_HAND.mergeCpu)) / 1e6,
  };
  const ingest = Math.max(2, Math.ceil(cores.ingest / CPU_USE));
  const perSink = Math.min((CPU_USE / measured('sinkCpu')) * 1e6, measured('sinkRowsPerSecond') * CPU_USE);
  const sink = Math.max(2, Math.ceil(readings / perSink));
  const partitions =
    PARTITION_COUNTS.find(
      (count) => count >= sink * 2 && count >= readings / (perSink / FEWEST_PARTITIONS),
    ) ?? Infinity;
  const partitionRate = readings / ingest / partitions;
  const lingerMs = chooseLinger(partitionRate, batch);
  const messages = messagesPerBatch(partitionRate, batch, lingerMs);
  const topicBytesPerReading = bytesPerReading(messages);
  // Requests reach any replica, so each meets every key.
  const keyCacheSize = Math.max(KEY_CACHE_DEFAULT, Math.ceil(fleet.devices * 1.1));
  return {
    readings,
    requests: readings / batch,
    replicas: { ingest, sink, keyService: ingest > 50 ? 4 : 2, query: 2 },
    cores,
    ...{ partitions, lingerMs, messagesPerBatch: messages, topicBytesPerReading },
    disks: {
      kafka:
        (readings * topicBytesPerReading * fleet.topicDays * DAY_SECONDS * fleet.kafkaReplicas) / DISK_USE,
      clickhouse:
        (readings * measured('storedBytes') * fleet.storeDays * DAY_SECONDS * fleet.clickhouseReplicas) /
        DISK_USE,
      postgres: (fleet.devices * BY_HAND.postgresBytesPerKey) / DISK_USE,
      redis: fleet.devices * BY_HAND.redisBytesPerKey,
    },
    ingest: {
      memoryMiB:
        64 * Math.ceil((768 + ((keyCacheSize - KEY_CACHE_DEFAULT) * BY_HAND.ingestKiBPerKey) / 1_024) / 64),
      keyCacheSize,
    },
  };
}

/** Between a single reading and 100 in a request: a share for each request, and one for each reading. */
function perReading(ofSingle: number, inBatch: number, readingsPerRequest: number): number {
  const perRequest = ((ofSingle - inBatch) * 100) / 99;
  return ofSingle - perRequest + perRequest / readingsPerRequest;
}
