import { setTimeout as delay } from 'node:timers/promises';
import { messageKey } from '@cellarman/contracts';
import { fetchLogBounds, fetchOffsetsAt, partitionOf, readRange } from '@cellarman/kafka';
import { createIdentitySet, SEEN } from './identity-set.ts';
import type { IdentitySet } from './identity-set.ts';
import { createRackSums } from './rack-sums.ts';
import type { RackDifference } from './rack-sums.ts';
import { findDeadLetters, identityOf, seriesPointIdentityOf } from '@cellarman/verification';
import type { ReadingFields } from '@cellarman/verification';
import { readSendLog } from './read-send-log.ts';
import { readTopic } from './read-topic.ts';
import type { TimeRange, TopicRecord, TopicSource } from './read-topic.ts';
import type { View } from './view.ts';

export interface VerifyOptions {
  topic: TopicSource;
  deadLetters: TopicSource;
  view: View;
  range: TimeRange;
  sendLogs: readonly string[];
  /** How long what is not in the view yet may take to come, in milliseconds. */
  waitMs: number;
  onStep?: (text: string) => void;
}

export interface Report {
  topic: { records: number; distinct: number; noReadings: number; deadLetters: number };
  /** `older`: rows of the range whose records Kafka has deleted, as far as is known. They are excluded from the comparison. */
  view: { rows: number; distinct: number; older: number };
  sendLog: { sent: number; acknowledged: number } | null;
  /** Acknowledged or in the topic, not older than its retention, and not in the view. */
  missing: number;
  /** Rows of the view beyond one per identity. */
  duplicated: number;
  /** In the topic or the view with other fields than what was sent or published. */
  altered: number;
  /** Hidden by the view because of their age. */
  expired: number;
  racks: RackDifference[];
  examples: { kind: 'missing' | 'duplicated' | 'altered'; what: string }[];
}

/**
 * The clock that stamps `received_at` belongs to ingest, the one of the record to the broker, and a record may wait for
 * its acknowledgement in between. What lies this near to an end of the range is compared, but not demanded.
 */
const MARGIN_MS = 120_000;
/** While readings go on coming, rows younger than this may have come after the topic was read. */
const LIVE_MS = 15_000;
const MOST_EXAMPLES = 20;
/** The number of candidates that are looked up one by one; the others wait until these are found. */
const MOST_LOOKUPS = 20_000;
const LOOKUP_SIZE = 500;

/**
 * Compares a range of the topic with the view and with what clients logged.
 *
 * Identities are kept as 128 bits each, so that millions fit into memory; what is missing is then read a second time.
 */
export async function verify(options: VerifyOptions): Promise<Report> {
  const { topic, view, range, sendLogs, onStep = () => undefined } = options;
  const begunAt = Date.now();
  const seen = createIdentitySet();
  const racks = createRackSums();
  const isExpired = await view.expiry();
  const report: Report = {
    topic: { records: 0, distinct: 0, noReadings: 0, deadLetters: 0 },
    view: { rows: 0, distinct: 0, older: 0 },
    sendLog: sendLogs.length === 0 ? null : { sent: 0, acknowledged: 0 },
    missing: 0,
    duplicated: 0,
    altered: 0,
    expired: 0,
    racks: [],
    examples: [],
  };
  const example = (kind: Report['examples'][number]['kind'], what: string): void => {
    if (report.examples.length < MOST_EXAMPLES) report.examples.push({ kind, what });
  };
  const find = (kind: 'missing' | 'duplicated' | 'altered', reading: ReadingFields): void => {
    report[kind] += 1;
    example(kind, JSON.stringify(reading));
  };

  onStep('reading the topic');
  const bounds = await fetchLogBounds(topic.connection, topic.topic);
  const deletedInRange = await partitionsWithDeletedRecords();
  const noReadings: TopicRecord[] = [];
  const firstRecords = new Map<number, TopicRecord>();
  for await (const record of readTopic(topic, withMargin(range))) {
    const inside = isInside(record.appendedAt, range);
    if (!firstRecords.has(record.partition)) firstRecords.set(record.partition, record);
    if (record.reading === undefined) {
      if (inside) noReadings.push(record);
      continue;
    }
    const before = seen.mark(
      identityOf(record.reading),
      (inside ? SEEN.topic : SEEN.margin) | (isExpired(record.reading) ? SEEN.expired : 0),
    );
    if (!inside) continue;
    report.topic.records += 1;
    if ((before & SEEN.topic) === 0) racks.add('topic', record.reading);
  }
  report.topic.noReadings = noReadings.length;
  await checkDeadLetters();

  onStep('reading the send logs');
  const sentPoints = createIdentitySet();
  for (const file of sendLogs) await markSent(file, sentPoints);

  onStep('reading the view');
  const unknown: ReadingFields[] = [];
  await markView();
  await recheckUnknown();
  if (sendLogs.length > 0) await findAlteredInTransit(sentPoints);

  onStep('looking up what is missing');
  await findMissing();

  report.topic.distinct = seen.count(SEEN.topic);
  report.view.distinct = seen.count(SEEN.view);
  report.expired = seen.count(SEEN.expired, SEEN.view);
  report.racks = racks.differences();
  return report;

  /** Of these the range begins before their first record, and records were deleted before that. */
  async function partitionsWithDeletedRecords(): Promise<Set<number>> {
    const { from } = withMargin(range);
    const starts = from === undefined ? undefined : await fetchOffsetsAt(topic.connection, topic.topic, from);
    const deleted = [...bounds].filter(
      ([partition, { low }]) => low > 0n && (starts?.get(partition) ?? low) <= low,
    );
    return new Set(deleted.map(([partition]) => partition));
  }

  async function checkDeadLetters(): Promise<void> {
    if (noReadings.length === 0) return;
    const isDeadLetter = await findDeadLetters(
      readRange({ ...options.deadLetters, from: 'start', to: 'end' }),
      { topic: topic.topic, origins: noReadings },
    );
    for (const { partition, offset } of noReadings) {
      if (isDeadLetter({ partition, offset })) {
        report.topic.deadLetters += 1;
      } else {
        report.missing += 1;
        example('missing', `partition ${partition}, offset ${offset}: not a reading, and not a dead letter`);
      }
    }
  }

  async function markSent(file: string, places: IdentitySet): Promise<void> {
    for await (const { reading, acknowledged } of readSendLog(file)) {
      if (report.sendLog === null) return;
      report.sendLog.sent += 1;
      // Any mark says "sent"; the one of the acknowledged serves.
      places.mark(seriesPointIdentityOf(reading), SEEN.acknowledged);
      if (!acknowledged) {
        places.mark(identityOf(reading), SEEN.margin);
        continue;
      }
      report.sendLog.acknowledged += 1;
      places.mark(identityOf(reading), SEEN.margin);
      seen.mark(identityOf(reading), SEEN.acknowledged | (isExpired(reading) ? SEEN.expired : 0));
    }
  }

  /** Rows received in here come from records that were read, margin included, whatever the clocks say. */
  function demandedRows(): TimeRange {
    // Kafka may have deleted the records of older rows.
    const kept = [...deletedInRange].flatMap((partition) => firstRecords.get(partition) ?? []);
    const oldest = Math.max(0, ...kept.map(({ appendedAt }) => appendedAt + MARGIN_MS));
    return { from: Math.max(range.from ?? 0, oldest), to: range.to ?? begunAt - LIVE_MS };
  }

  /** Whether Kafka has deleted all records of the range that this row's could have been among. */
  function isWithoutRecords({ cellar, rack }: ReadingFields): boolean {
    const partition = partitionOf(messageKey(cellar, rack), bounds.size);
    return deletedInRange.has(partition) && !firstRecords.has(partition);
  }

  async function markView(): Promise<void> {
    const { from, to } = withMargin(range);
    const demandedRange = demandedRows();
    for await (const { reading, receivedAt } of view.rows(from, to)) {
      const identity = identityOf(reading);
      const marks = seen.marksOf(identity);
      const demanded = isInside(receivedAt, demandedRange) && !isWithoutRecords(reading);
      if (marks === 0) {
        // Nothing published it: some field is not what it was.
        if (demanded) find('altered', reading);
        else if (range.to === undefined && receivedAt >= begunAt - LIVE_MS) unknown.push(reading);
        else if (isInside(receivedAt, range)) report.view.older += 1;
        continue;
      }
      seen.mark(identity, SEEN.view);
      if ((marks & SEEN.view) !== 0) {
        seen.mark(identity, SEEN.viewTwice);
        find('duplicated', reading);
      } else if ((marks & SEEN.topic) !== 0) {
        racks.add('view', reading);
      }
      if ((marks & (SEEN.topic | SEEN.acknowledged)) !== 0) report.view.rows += 1;
    }
  }

  /** Rows that came while the topic was read. By now it has their records, if they were published. */
  async function recheckUnknown(): Promise<void> {
    if (unknown.length === 0) return;
    const late = createIdentitySet();
    for await (const { reading } of readTopic(topic, {
      from: begunAt - LIVE_MS - MARGIN_MS,
      to: undefined,
    })) {
      if (reading !== undefined) late.mark(identityOf(reading), SEEN.topic);
    }
    for (const reading of unknown) {
      const before = late.mark(identityOf(reading), SEEN.view);
      if ((before & SEEN.topic) === 0) find('altered', reading);
      else if ((before & SEEN.view) !== 0) find('duplicated', reading);
    }
  }

  /** A record of a series and time that a client sent, with a value that no client sent. */
  async function findAlteredInTransit(sent: IdentitySet): Promise<void> {
    for await (const { reading, appendedAt } of readTopic(topic, range)) {
      if (reading === undefined || !isInside(appendedAt, range)) continue;
      const isPointOfClient = sent.marksOf(seriesPointIdentityOf(reading)) !== 0;
      if (isPointOfClient && sent.marksOf(identityOf(reading)) === 0) find('altered', reading);
    }
  }

  async function findMissing(): Promise<void> {
    let missing = await collectMissing();
    const deadline = Date.now() + options.waitMs;
    for (;;) {
      missing = await notInView(missing);
      const total = countMissing();
      // There were more than are looked up at a time: the next ones.
      if (missing.length === 0 && total > 0) missing = await collectMissing();
      if (total === 0 || Date.now() >= deadline) {
        report.missing += total;
        for (const reading of missing) example('missing', JSON.stringify(reading));
        return;
      }
      onStep(`waiting for ${total} readings that are not in the view yet`);
      await delay(500);
    }
  }

  function countMissing(): number {
    const gone = SEEN.view | SEEN.expired;
    return seen.count(SEEN.topic, gone) + seen.count(SEEN.acknowledged, gone | SEEN.topic);
  }

  async function collectMissing(): Promise<ReadingFields[]> {
    const missing = new Map<string, ReadingFields>();
    if (countMissing() === 0) return [];
    const collect = (reading: ReadingFields): void => {
      const identity = identityOf(reading);
      const marks = seen.marksOf(identity);
      const isDemanded = (marks & (SEEN.topic | SEEN.acknowledged)) !== 0;
      if (isDemanded && (marks & (SEEN.view | SEEN.expired)) === 0 && missing.size < MOST_LOOKUPS) {
        missing.set(identity.toString('hex'), reading);
      }
    };
    for await (const { reading } of readTopic(topic, range)) if (reading !== undefined) collect(reading);
    for (const file of sendLogs) for await (const { reading } of readSendLog(file)) collect(reading);
    return [...missing.values()];
  }

  /** A row that was received outside of the range may stand for one inside: the view keeps one of equal ones. */
  async function notInView(candidates: readonly ReadingFields[]): Promise<ReadingFields[]> {
    for (let i = 0; i < candidates.length; i += LOOKUP_SIZE) {
      const found = new Set<string>();
      for (const reading of await view.rowsAt(candidates.slice(i, i + LOOKUP_SIZE))) {
        const identity = identityOf(reading);
        const marks = seen.marksOf(identity);
        if (found.has(identity.toString('hex'))) {
          seen.mark(identity, SEEN.viewTwice);
          find('duplicated', reading);
          report.view.rows += 1;
        }
        if (marks === 0 || (marks & SEEN.view) !== 0) continue;
        found.add(identity.toString('hex'));
        seen.mark(identity, SEEN.view);
        report.view.rows += 1;
        if ((marks & SEEN.topic) !== 0) racks.add('view', reading);
      }
    }
    return candidates.filter((reading) => (seen.marksOf(identityOf(reading)) & SEEN.view) === 0);
  }
}

function isInside(time: number, { from, to }: TimeRange): boolean {
  return (from === undefined || time >= from) && (to === undefined || time < to);
}

function withMargin({ from, to }: TimeRange): TimeRange {
  return {
    from: from === undefined ? undefined : from - MARGIN_MS,
    to: to === undefined ? undefined : to + MARGIN_MS,
  };
}
