import { compareBuckets } from './compare-buckets.ts';
import type { Comparison } from './compare-buckets.ts';
import { createReport } from './hour-report.ts';
import type { HourReport } from './hour-report.ts';
import { groupsOf } from './bucket-groups.ts';
import { rangeOfHour, readHour } from './read-hour.ts';
import { readStoredTallies } from './stored-tallies.ts';
import { tallyTopic } from './tally-topic.ts';

export interface VerifiedHour extends HourReport {
  /** Of the rows that were compared. */
  digest: string;
}

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
  for (const group of groupsOf(tallies, stored)) {
    await compareBuckets({ ...comparison, report }, group, tallies);
  }
  return { ...report.report(), digest: stored.digest };
}
