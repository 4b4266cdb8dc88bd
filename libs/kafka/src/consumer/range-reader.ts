import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { createKafkaConsumer } from './kafkajs-consumer.ts';
import type { ConsumerLimits } from './consumer-client.ts';
import type { MessageBatch } from './consumer-port.ts';
import type { KafkaConnection } from '../client/kafka-connection.ts';
import { fetchLogBounds, fetchOffsetsAt } from './start-offsets.ts';
import type { LogBounds } from './start-offsets.ts';

/**
 * A position in every partition: its first record that still exists, its end as its leader reports it (right after an election
 * that may be too low), the first record that the broker wrote at or after a time, or given offsets.
 */
export type RangeBound = 'start' | 'end' | { readonly timestampMs: number } | ReadonlyMap<number, bigint>;

export interface RangeOptions {
  readonly connection: KafkaConnection;
  readonly topic: string;
  /** Inclusive. */
  readonly from: RangeBound;
  /** Exclusive. */
  readonly to: RangeBound;
  readonly limits?: ConsumerLimits;
  /** The name of the reader's own group begins with it, for ACLs. @default the client id */
  readonly groupId?: string;
}

/**
 * Reads a part of a topic once, in order per partition, and commits nothing. Fetches no faster than the caller
 * takes the batches.
 */
export async function* readRange(options: RangeOptions): AsyncGenerator<MessageBatch, void, undefined> {
  const { connection, topic, from, to, limits, groupId = connection.clientId } = options;
  const bounds = await fetchLogBounds(connection, topic);
  const start = await resolve(from, options, bounds);
  const end = await resolve(to, options, bounds);
  const open = new Set<number>();
  for (const [partition, first] of start) if (first < (end.get(partition) ?? first)) open.add(partition);
  if (open.size === 0) return;

  const arrived: { batch: MessageBatch; taken: () => void }[] = [];
  let wake = Promise.withResolvers<undefined>();
  const consumer = createKafkaConsumer({
    connection,
    topic,
    // Nobody else is in this group, and it leaves nothing behind.
    groupId: `${groupId}-range-${randomUUID()}`,
    startAt: start,
    ...(limits === undefined ? {} : { limits }),
    handler: {
      onAssigned: (assigned) => consumer.pause([...assigned.start.keys()].filter((id) => !open.has(id))),
      onBatch: (batch, { signal }) =>
        new Promise<void>((taken) => {
          signal.addEventListener('abort', () => taken(), { once: true });
          arrived.push({ batch, taken });
          wake.resolve(undefined);
        }),
    },
  });

  const isRead = (partition: number, next: bigint | undefined): boolean =>
    next !== undefined && next >= (end.get(partition) ?? 0n);

  try {
    await consumer.start();
    while (open.size > 0) {
      const next = arrived.shift();
      if (next !== undefined) {
        const { partition, nextOffset } = next.batch;
        if (open.has(partition)) yield upTo(next.batch, end.get(partition) ?? 0n);
        if (isRead(partition, nextOffset) && open.delete(partition)) consumer.pause([partition]);
        next.taken();
        continue;
      }
      // The range may end with marks of transactions, which move the position and are never delivered.
      for (const partition of open)
        if (isRead(partition, consumer.position(partition))) open.delete(partition);
      await Promise.race([wake.promise, consumer.done, delay(IDLE_CHECK_MS)]);
      wake = Promise.withResolvers();
    }
  } finally {
    for (const { taken } of arrived) taken();
    await consumer.stop();
  }
}

const IDLE_CHECK_MS = 250;

function upTo(batch: MessageBatch, end: bigint): MessageBatch {
  if (batch.nextOffset <= end) return batch;
  return { ...batch, nextOffset: end, messages: batch.messages.filter(({ offset }) => BigInt(offset) < end) };
}

async function resolve(
  bound: RangeBound,
  { connection, topic }: RangeOptions,
  held: ReadonlyMap<number, LogBounds>,
): Promise<ReadonlyMap<number, bigint>> {
  if (bound === 'start') return new Map(Array.from(held, ([partition, { low }]) => [partition, low]));
  if (bound === 'end') return new Map(Array.from(held, ([partition, { high }]) => [partition, high]));
  if (!('timestampMs' in bound)) return bound;
  return fetchOffsetsAt(connection, topic, bound.timestampMs);
}
