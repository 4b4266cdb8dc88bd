import { stringify } from 'yaml';
import type { Fleet } from './fleet.ts';
import type { Size } from './size.ts';

/** Returns values for the chart, as YAML: only those that depend on the size. */
export function helmValues(fleet: Fleet, size: Size): string {
  return stringify(valuesOf(fleet, size));
}

export function valuesOf(fleet: Fleet, { replicas, partitions, lingerMs, ingest }: Size) {
  const memory = `${ingest.memoryMiB}Mi`;
  return {
    kafka: {
      topic: { partitions, retentionHours: fleet.topicDays * 24, replicationFactor: fleet.kafkaReplicas },
    },
    ingest: {
      replicas: replicas.ingest,
      config: {
        PRODUCER_COMPRESSION: 'zstd',
        ...(lingerMs > 0 && { PRODUCER_LINGER_MS: lingerMs }),
        KEY_CACHE_SIZE: ingest.keyCacheSize,
      },
      resources: { requests: { cpu: '1', memory }, limits: { memory } },
    },
    sink: { replicas: replicas.sink },
    keyService: { replicas: replicas.keyService },
    query: { replicas: replicas.query },
  };
}
