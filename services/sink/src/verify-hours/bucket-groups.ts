import { IDENTITY_SQL } from '@cellarman/verification';
import type { Key } from './look-up.ts';
import { SOURCES } from './stored-tallies.ts';
import type { StoredTallies } from './stored-tallies.ts';
import type { BucketTally } from './tally-topic.ts';

/** Readings that are compared together. */
export interface BucketGroup {
  buckets: number[];
  /** Which part of their identities: all of them is part 0 of 1. */
  part: number;
  parts: number;
}

/** Bounds the memory. */
const MOST_READINGS = 50_000;

/** Returns the buckets that differ, in groups that fit into memory. A bucket that is too large is compared in parts. */
export function groupsOf(
  tallies: readonly Pick<BucketTally, 'count' | 'invalid' | 'xor'>[],
  stored: Pick<StoredTallies, 'of'>,
  mostReadings = MOST_READINGS,
): BucketGroup[] {
  const groups: BucketGroup[] = [];
  let last: BucketGroup | undefined;
  let room = 0;
  for (const [bucket, tally] of tallies.entries()) {
    const rows = SOURCES.map((source) => stored.of(source, bucket));
    const isEqual = rows.every(({ rows: count, xor }) => count === tally.count && xor === tally.xor);
    if (isEqual && tally.invalid === 0) continue;
    const size = Math.max(tally.count + tally.invalid, ...rows.map(({ rows: count }) => count));
    const parts = Math.ceil(size / mostReadings);
    if (parts > 1) {
      for (let part = 0; part < parts; part++) groups.push({ buckets: [bucket], part, parts });
      continue;
    }
    if (last === undefined || size > room) {
      last = { buckets: [], part: 0, parts: 1 };
      groups.push(last);
      room = mostReadings;
    }
    last.buckets.push(bucket);
    room -= size;
  }
  return groups;
}

/** Whether a reading is compared with this group: the same as {@link IN_PART}. An identity is a hash, so it is spread evenly. */
export function isInPart(identity: Key, { part, parts }: BucketGroup): boolean {
  return parts === 1 || Buffer.from(identity, 'latin1').readUInt32LE() % parts === part;
}

/** With the parameters `part` and `parts`. */
export const IN_PART = `({parts: UInt32} = 1 OR toUInt32(reinterpretAsUInt64(${IDENTITY_SQL})) % {parts: UInt32} = {part: UInt32})`;
