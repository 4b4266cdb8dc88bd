import { murmur2, murmur2OfText } from './murmur2.ts';

/** The partition that every Kafka client with the default partitioner picks for a key. */
export function partitionOf(key: string | Uint8Array, partitions: number): number {
  const hash = typeof key === 'string' ? murmur2OfText(key) : murmur2(key);
  return (hash & 0x7fffffff) % partitions;
}
