import type { Fleet } from './fleet.ts';
import type { Size } from './size.ts';

/** A known limit: where it was found, and what to do. */
interface Limit {
  isReached: (size: Size, fleet: Fleet) => boolean;
  warning: string;
}

/** In the order in which a growing fleet meets them. */
const LIMITS: readonly Limit[] = [
  {
    isReached: ({ messagesPerBatch }) => messagesPerBatch < 4,
    warning:
      'Record batches have fewer than four readings, so they hardly compress. Send batches, or let gateways collect them.',
  },
  {
    isReached: (_, { devices }) => devices > 200_000,
    warning:
      'Each replica of ingest keeps every key: KEY_CACHE_SIZE and memory grow with the devices, and after a restart each key is looked up again.',
  },
  {
    isReached: ({ disks }) => disks.clickhouse > 20e12,
    warning:
      'More than 20 TB in one ClickHouse server. The chart supports no cluster: keep readings for a shorter time, or split the cellars over installations.',
  },
  {
    isReached: ({ replicas }) => replicas.ingest > 100,
    warning:
      'More than 100 replicas of ingest have not been tried: each pulls key changes four times a second.',
  },
  {
    isReached: ({ replicas }) => replicas.sink > 12,
    warning:
      'More than 12 sinks in a group have not been tried: each rebalance stops all of them for seconds.',
  },
  {
    isReached: ({ readings }) => readings > 1_000_000,
    warning:
      'Above 1,000,000 readings a second, plan several installations: one topic, one group and one ClickHouse server carry all of it.',
  },
];

export function reachedLimits(size: Size, fleet: Fleet): string[] {
  return LIMITS.filter(({ isReached }) => isReached(size, fleet)).map(({ warning }) => warning);
}
