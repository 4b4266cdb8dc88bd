import { compareBuckets } from './compare-buckets.ts';
import type { Comparison } from './compare-buckets.ts';
import { createReport } from './hour-report.ts';
import type { HourReport } from './hour-report.ts';
import { rangeOfHour, readHour } from './read-hour.ts';
import { readStoredTallies, SOURCES } from './stored-tallies.ts';
import type { StoredTallies } from './stored-tallies.ts';
import { tallyTopic } from './tally-topic.ts';
import type { BucketTally } from './tally-topic.ts';

export interface VerifiedHour extends HourReport {
  /** Of the rows that were compared. */
  digest: string;
}

/** Bounds the memory. */
const MOST_READINGS = 50_000;

/**
 * Compares an hour of the topic with ClickHouse: first counts and fingerprints of two seconds at a time, then, only where
 * these differ, reading by reading.
 *
 * @returns undefined when Kafka no longer has all messages of the hour
 */
export async function verifyHour(comparison: Omit<Comparison, 'report'>): Promise<VerifiedHour | undefined> {
  const { clickhouse, topic, hour, signal } = comparison;
  const range = await rangeOfHour(topic, hour);
  if (range === undefined) return undefined;
  const { tallies, messages } = await tallyTopic(hour, readHour(topic, hour, range));
  const stored = await readStoredTallies(clickhouse, hour, signal);

  const report = createReport();
  for (const [cellar, count] of messages) {
    report.add(cellar, 'messages', count);
    // Less its repetitions, which the comparison finds.
    report.add(cellar, 'acknowledged', count);
  }
  for (const buckets of groupsOf(tallies, stored)) {
    await compareBuckets({ ...comparison, report }, buckets, tallies);
  }
  return { ...report.report(), digest: stored.digest };
}

/** The buckets that differ, in groups that fit into memory. */
function groupsOf(tallies: readonly BucketTally[], stored: StoredTallies): number[][] {
  const groups: number[][] = [];
  let room = 0;
  for (const [bucket, tally] of tallies.entries()) {
    const rows = SOURCES.map((source) => stored.of(source, bucket));
    const isEqual = rows.every(({ rows: count, xor }) => count === tally.count && xor === tally.xor);
    if (isEqual && tally.invalid === 0) continue;
    const size = Math.max(tally.count + tally.invalid, ...rows.map(({ rows: count }) => count));
    if (size > room || groups.length === 0) {
      groups.push([]);
      room = MOST_READINGS;
    }
    groups.at(-1)?.push(bucket);
    room -= size;
  }
  return groups;
}
