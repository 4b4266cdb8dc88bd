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
  for await (const { value } of messagesOf(options)) {
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

/** Counts the messages of a cellar that are dead letters. A killed sink may publish one twice: its origin identifies it. */
export async function countDeadLetters(options: TopicOptions): Promise<number> {
  const origins = new Set<string>();
  for await (const { value, headers } of messagesOf(options)) {
    if (!value.includes(JSON.stringify(options.cellar))) continue;
    origins.add(['partition', 'offset'].map((name) => String(headers[`dead-letter-${name}`])).join(':'));
  }
  return origins.size;
}

async function* messagesOf({ brokers, topic, since }: TopicOptions) {
  const connection = { brokers, clientId: 'cellarman-faults', logger: silentLogger };
  const from = { timestampMs: since - MARGIN_MS };
  for await (const { messages } of readRange({ connection, topic, from, to: 'end' })) {
    for (const { value, headers } of messages)
      yield { value: value?.toString('utf8') ?? '', headers: headers ?? {} };
  }
}

/** Of `2026-11-21T08:00:00.123456Z`. */
function nanosecondsOf(timestamp: string): bigint {
  const [seconds = '', fraction = ''] = timestamp.slice(0, -1).split('.');
  return BigInt(Date.parse(`${seconds}Z`)) * 1_000_000n + BigInt(fraction.padEnd(9, '0'));
}
