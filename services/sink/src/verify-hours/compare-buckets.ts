import type { ClickHouse } from '@cellarman/clickhouse';
import { CELLAR_PATTERN } from '@cellarman/reading';
import { findDeadLetters, readExpiry } from '@cellarman/verification';
import type { Origin, ReadingFields } from '@cellarman/verification';
import { isInPart } from './bucket-groups.ts';
import type { BucketGroup } from './bucket-groups.ts';
import { findPublished } from './find-published.ts';
import type { Hour } from './hour.ts';
import type { ReportWriter } from './hour-report.ts';
import { keyOf, lookUp } from './look-up.ts';
import type { Key } from './look-up.ts';
import { readHour, readMessages } from './read-hour.ts';
import type { TopicSource } from './read-hour.ts';
import { readRows } from './stored-rows.ts';
import { SOURCES } from './stored-tallies.ts';
import type { BucketTally } from './tally-topic.ts';

export interface Comparison {
  clickhouse: ClickHouse;
  topic: TopicSource;
  deadLetterTopic: string;
  hour: Hour;
  report: ReportWriter;
  signal: AbortSignal;
}

/** A reading that expires soon may be hidden before it is looked up. */
const EXPIRY_MARGIN_MS = 600_000;

/** A reading of the topic, at its first offset. */
interface Published extends Origin {
  offset: number;
  reading: ReadingFields;
  copies: number;
  isLate: boolean;
  /** Rows of the buckets, in each source. */
  rows: [received: number, stored: number];
}

interface Invalid extends Origin {
  offset: number;
  cellar: string;
}

/**
 * Compares readings one by one, where the counts or identities of a few buckets differ. That is no finding yet: a reading
 * that was sent twice has two messages and one row.
 */
export async function compareBuckets(
  comparison: Comparison,
  group: BucketGroup,
  tallies: readonly BucketTally[],
): Promise<void> {
  const { published, invalid } = await readTopic(comparison, group, tallies);
  const unknown = await markRows(comparison, group, published);
  await settleUnknown(comparison, unknown);
  await settlePublished(comparison, published, invalid);
}

async function readTopic(
  { topic, hour, report }: Comparison,
  group: BucketGroup,
  tallies: readonly BucketTally[],
) {
  const wanted = new Set(group.buckets);
  const published = new Map<Key, Published>();
  const invalid: Invalid[] = [];
  for await (const batch of readHour(topic, hour, spanOf(group.buckets, tallies))) {
    for (const { bucket, partition, offset, key, isLate, reading } of batch) {
      if (!wanted.has(bucket)) continue;
      if (reading === undefined) {
        if (group.part === 0) invalid.push({ partition, offset, cellar: cellarOf(key) });
        continue;
      }
      const identity = keyOf(reading);
      if (!isInPart(identity, group)) continue;
      const before = published.get(identity);
      if (before === undefined) {
        published.set(identity, { reading, partition, offset, isLate, copies: 1, rows: [0, 0] });
      } else {
        before.copies += 1;
        report.add(reading.cellar, 'acknowledged', -1);
      }
    }
  }
  return { published, invalid };
}

function spanOf(buckets: readonly number[], tallies: readonly BucketTally[]) {
  const [from, to] = [new Map<number, bigint>(), new Map<number, bigint>()];
  for (const bucket of buckets) {
    for (const [partition, [first, last]] of tallies[bucket]?.spans ?? []) {
      const [start, end] = [BigInt(first), BigInt(last) + 1n];
      const [earliest = start, latest = end] = [from.get(partition), to.get(partition)];
      from.set(partition, start < earliest ? start : earliest);
      to.set(partition, end > latest ? end : latest);
    }
  }
  return { from, to };
}

/** Marks what is in ClickHouse, and returns what the topic lacks. */
async function markRows(
  { clickhouse, hour, signal }: Comparison,
  group: BucketGroup,
  published: ReadonlyMap<Key, Published>,
): Promise<Map<Key, ReadingFields>> {
  const unknown = new Map<Key, ReadingFields>();
  for (const [index, source] of SOURCES.entries()) {
    for await (const reading of readRows(clickhouse, source, { hour, group, signal })) {
      const identity = keyOf(reading);
      const found = published.get(identity);
      if (found === undefined) unknown.set(identity, reading);
      else found.rows[index as 0 | 1] += 1;
    }
  }
  return unknown;
}

async function settleUnknown(comparison: Comparison, unknown: Map<Key, ReadingFields>): Promise<void> {
  await findPublished(comparison.topic, comparison.hour, unknown);
  for (const reading of unknown.values()) comparison.report.find('altered', reading.cellar, reading);
}

/** What is not exactly once in both sources may be in another hour, be expired, or be a dead letter. */
async function settlePublished(
  { clickhouse, topic, deadLetterTopic, hour, report, signal }: Comparison,
  published: ReadonlyMap<Key, Published>,
  invalid: readonly Invalid[],
): Promise<void> {
  const isExpired = await readExpiry(clickhouse, EXPIRY_MARGIN_MS);
  const doubtful = [...published.values()].filter(
    ({ rows, copies }) => copies > 1 || rows.some((count) => count !== 1),
  );
  const rowsOf = await lookUp(
    clickhouse,
    doubtful.map(({ reading }) => reading),
    signal,
  );
  const absent: Published[] = [];
  for (const one of doubtful) {
    const { least, most } = rowsOf(one.reading);
    for (let row = 1; row < most; row++) report.find('duplicated', one.reading.cellar, one.reading);
    // It was received first at another time, where it counts.
    if (least > 0 && one.rows[0] === 0 && !one.isLate) report.add(one.reading.cellar, 'acknowledged', -1);
    if (least > 0) continue;
    if (isExpired(one.reading)) report.add(one.reading.cellar, 'expired');
    else absent.push(one);
  }

  const since = { timestampMs: hour.from - topic.toleranceMs };
  const isDeadLetter = await findDeadLetters(
    readMessages({ ...topic, topic: deadLetterTopic }, { from: since, to: 'end' }),
    { topic: topic.topic, origins: [...absent, ...invalid] },
  );
  for (const one of absent) {
    const { reading, partition, offset } = one;
    if (isDeadLetter(one)) {
      report.add(reading.cellar, 'dead_letters');
      report.add(reading.cellar, 'acknowledged', -1);
    } else report.find('missing', reading.cellar, { ...reading, partition, offset });
  }
  for (const one of invalid) {
    if (isDeadLetter(one)) report.add(one.cellar, 'dead_letters');
    else {
      report.add(one.cellar, 'acknowledged');
      report.find('missing', one.cellar, { partition: one.partition, offset: one.offset });
    }
  }
}

const CELLAR = new RegExp(CELLAR_PATTERN);

/** The key of a message is `<cellar>/<rack>`; another program may have written anything. */
function cellarOf(key: Buffer | null): string {
  const [cellar = ''] = key?.toString('utf8').split('/', 1) ?? [];
  return CELLAR.test(cellar) ? cellar : '';
}
