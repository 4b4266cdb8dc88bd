import { readRange, silentLogger } from '@cellarman/kafka';
import type { StoredRow } from './ledger.ts';

export interface TopicOptions {
  brokers: readonly string[];
  topic: string;
  cellar: string;
  /** Milliseconds since 1970: nothing of interest was appended before. */
  since: number;
}

/** The clock of the broker may be a little behind. */
const MARGIN_MS = 5_000;

/** What stands in the raw topic for a cellar, repetitions included. */
export async function* topicRows(options: TopicOptions): AsyncGenerator<StoredRow, void, undefined> {
  for await (const value of valuesOf(options)) {
    const reading = JSON.parse(value) as Record<'cellar' | 'rack' | 'keg' | 'timestamp', string> & {
      value: number;
    };
    if (reading.cellar !== options.cellar) continue;
    const { rack, keg, timestamp } = reading;
    yield { rack, keg, value: reading.value, timestamp: nanosecondsOf(timestamp) };
  }
}

/** Counts the readings of a rack that come for the first time after a later one. */
export async function countOutOfOrder(rows: AsyncIterable<StoredRow>): Promise<number> {
  const seen = new Set<number>();
  const last = new Map<string, number>();
  let count = 0;
  for await (const { rack, value } of rows) {
    if (seen.has(value)) continue;
    seen.add(value);
    if (value < (last.get(rack) ?? -1)) count += 1;
    else last.set(rack, value);
  }
  return count;
}

/** How many dead letters came from a cellar. */
export async function countDeadLetters(options: TopicOptions): Promise<number> {
  let count = 0;
  for await (const value of valuesOf(options)) if (value.includes(JSON.stringify(options.cellar))) count += 1;
  return count;
}

async function* valuesOf({ brokers, topic, since }: TopicOptions): AsyncGenerator<string, void, undefined> {
  const connection = { brokers, clientId: 'cellarman-faults', logger: silentLogger };
  const from = { timestampMs: since - MARGIN_MS };
  for await (const { messages } of readRange({ connection, topic, from, to: 'end' })) {
    for (const { value } of messages) yield value?.toString('utf8') ?? '';
  }
}

/** Of `2026-11-21T08:00:00.123456Z`. */
function nanosecondsOf(timestamp: string): bigint {
  const [seconds = '', fraction = ''] = timestamp.slice(0, -1).split('.');
  return BigInt(Date.parse(`${seconds}Z`)) * 1_000_000n + BigInt(fraction.padEnd(9, '0'));
}
