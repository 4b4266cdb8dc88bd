import type { Fleet } from './fleet.ts';
import { BY_HAND, measured } from './measurements.ts';
import { CPU_USE } from './size.ts';
import type { Size } from './size.ts';

/** In dollars a month. */
export interface Prices {
  /** A virtual core with 4 GB of memory. */
  core: number;
  /** A GB of SSD. */
  diskGb: number;
  /** A GB of traffic between zones. */
  zoneGb: number;
}

/** Rounded list prices of a large cloud in November 2026, by the review of the platform. */
export const LIST_PRICES: Prices = { core: 33, diskGb: 0.08, zoneGb: 0.02 };

export interface Cost {
  cores: number;
  disks: number;
  zones: number;
  total: number;
  perBillionReadings: number;
}

const MONTH_SECONDS = 2_628_000;
/** With three zones, two of three connections go to another one. */
const TO_ANOTHER_ZONE = 2 / 3;
const CORE_MEMORY_MIB = 4_000;

/** Without a load balancer, backups and people. */
export function cost(fleet: Fleet, size: Size, prices: Prices): Cost {
  const { replicas, disks, topicBytesPerReading } = size;
  const engines = Math.max(3, size.cores.kafka / CPU_USE) + Math.max(2, size.cores.clickhouse / CPU_USE);
  const ingest = replicas.ingest * Math.max(1, size.ingest.memoryMiB / CORE_MEMORY_MIB);
  const services = ingest + replicas.sink + (replicas.keyService + replicas.query) / 2;
  const zoneBytes =
    topicBytesPerReading * (TO_ANOTHER_ZONE * 2 + fleet.kafkaReplicas - 1) +
    TO_ANOTHER_ZONE * BY_HAND.insertedBytes +
    (fleet.clickhouseReplicas - 1) * measured('storedBytes');
  const parts = {
    cores: (engines + services) * prices.core,
    disks: ((disks.kafka + disks.clickhouse + disks.postgres) / 1e9) * prices.diskGb,
    zones: ((size.readings * zoneBytes * MONTH_SECONDS) / 1e9) * prices.zoneGb,
  };
  const total = parts.cores + parts.disks + parts.zones;
  return { ...parts, total, perBillionReadings: (total / (size.readings * MONTH_SECONDS)) * 1e9 };
}
