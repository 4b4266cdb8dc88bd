import { identityOf } from '@cellarman/verification';
import { BUCKET_MS } from './hour.ts';
import type { Hour } from './hour.ts';
import type { HourMessage } from './read-hour.ts';

/** From the first to the last offset, both included, by partition. */
export type OffsetSpans = Map<number, [first: number, last: number]>;

export interface TopicTally {
  /** Of each bucket: how many readings, and the exclusive or of their identities. */
  tallies: readonly BucketTally[];
  /** Messages that are readings, by cellar, repetitions included. */
  messages: ReadonlyMap<string, number>;
}

export class BucketTally {
  count = 0;
  /** Messages that are not readings. */
  invalid = 0;
  readonly spans: OffsetSpans = new Map();
  #low = 0;
  #high = 0;

  add({ partition, offset, reading }: HourMessage): void {
    const span = this.spans.get(partition);
    if (span === undefined) this.spans.set(partition, [offset, offset]);
    else span[1] = Math.max(span[1], offset);
    if (reading === undefined) {
      this.invalid += 1;
      return;
    }
    const identity = identityOf(reading);
    this.count += 1;
    this.#low ^= identity.readInt32LE(0);
    this.#high ^= identity.readInt32LE(4);
  }

  /** The exclusive or of the first 64 bits of each identity, as ClickHouse writes it. */
  get xor(): string {
    return ((BigInt(this.#high >>> 0) << 32n) | BigInt(this.#low >>> 0)).toString();
  }
}

/** Reads an hour of the topic once. Takes memory for buckets, not for readings. */
export async function tallyTopic(hour: Hour, batches: AsyncIterable<HourMessage[]>): Promise<TopicTally> {
  const tallies = Array.from({ length: (hour.to - hour.from) / BUCKET_MS }, () => new BucketTally());
  const messages = new Map<string, number>();
  for await (const batch of batches) {
    for (const message of batch) {
      tallies[message.bucket]?.add(message);
      const cellar = message.reading?.cellar;
      if (cellar !== undefined) messages.set(cellar, (messages.get(cellar) ?? 0) + 1);
    }
  }
  return { tallies, messages };
}
