import { setTimeout as delay } from 'node:timers/promises';
import type { Batch, Consumer, EachBatchPayload } from 'kafkajs';
import { ConsumerError } from './consumer-error.ts';
import type { ConsumerHandler } from './consumer-port.ts';
import { endsMembership } from '../client/kafkajs-error.ts';
import { keepAlive } from './keep-alive.ts';
import type { KafkaLogger } from '../client/kafkajs-log.ts';
import { outOfRange } from './start-offsets.ts';
import type { LogBounds } from './start-offsets.ts';
import type { Owned, Ownership } from './ownership.ts';

export interface BatchDelivery {
  eachBatch(payload: EachBatchPayload): Promise<void>;
  /** kafkajs went over records that are for nobody, such as the marks of transactions. */
  skipped(partition: number, firstOffset: bigint, lastOffset: bigint): void;
  handlersDone(): Promise<void>;
}

/** Right after an election a leader may report a log end that is too low. */
const END_POLLS = 6;
const LOOK_PAUSE_MS = 500;

/** kafkajs's batch also contains the offset of the fetch request. */
type FetchedBatch = Batch & { readonly fetchedOffset: string };

/**
 * Hands kafkajs's batches to the handler, each exactly where the one before it ended. A batch from anywhere else
 * is not delivered: it belongs to an earlier assignment, or kafkajs moved the position by itself because the
 * log no longer holds it.
 */
export function createBatchDelivery(options: {
  consumer: Consumer;
  topic: string;
  handler: ConsumerHandler;
  ownership: () => Ownership;
  mayDeliver: (partition: number) => boolean;
  heartbeatIntervalMs: number;
  fetchBounds: () => Promise<ReadonlyMap<number, LogBounds>>;
  /** Undoes what kafkajs committed by itself when it moved the position. */
  restoreCommitted: (partition: number) => Promise<void>;
  onFailed: (error: unknown) => void;
  logger: KafkaLogger;
}): BatchDelivery {
  const { consumer, topic, handler, ownership, onFailed } = options;
  const running = new Set<Promise<unknown>>();

  async function eachBatch(payload: EachBatchPayload): Promise<void> {
    const batch = payload.batch as FetchedBatch;
    const { partition } = batch;
    const owned = ownership().current();
    const position = owned?.positions.get(partition);
    // Whatever is not resolved is fetched again.
    if (owned?.announced !== true || position === undefined || !options.mayDeliver(partition)) return;
    if (BigInt(batch.fetchedOffset) !== position) return readAgain(owned, partition, position);

    const nextOffset = BigInt(batch.lastOffset()) + 1n;
    owned.positions.set(partition, nextOffset);
    const work = deliver(owned, payload, position, nextOffset);
    running.add(work);
    try {
      await work;
    } finally {
      running.delete(work);
    }
    // Not into the position of a later assignment, and not past what a stopped handler left undone.
    if (ownership().current() === owned && !owned.signal.aborted) payload.resolveOffset(batch.lastOffset());
  }

  async function deliver(
    owned: Owned,
    payload: EachBatchPayload,
    firstOffset: bigint,
    nextOffset: bigint,
  ): Promise<void> {
    const { batch } = payload;
    const { partition, messages } = batch;
    const highWatermark = BigInt(batch.highWatermark);
    let membershipEnd: unknown;
    try {
      membershipEnd = await keepAlive(
        () => handler.onBatch({ partition, messages, firstOffset, nextOffset, highWatermark }, owned),
        {
          heartbeat: () => payload.heartbeat(),
          intervalMs: options.heartbeatIntervalMs,
          isFinal: endsMembership,
          onFinal: () => ownership().abort(),
        },
      );
    } catch (cause) {
      // When stopped, a handler may throw.
      if (!owned.signal.aborted)
        throw stop(new ConsumerError('handler_failed', 'The batch handler failed', cause));
    }
    // kafkajs rejoins the group when it gets its own error back.
    if (membershipEnd instanceof Error) throw membershipEnd;
  }

  async function readAgain(owned: Owned, partition: number, position: bigint): Promise<void> {
    await assertInLog(owned, partition, position);
    if (ownership().current() !== owned) return;
    options.logger.warn(
      { topic, partition, offset: String(position) },
      'Kafka: consumer restarted from the correct offset',
    );
    consumer.seek({ topic, partition, offset: String(position) });
  }

  async function assertInLog(owned: Owned, partition: number, position: bigint): Promise<void> {
    for (let look = 1; ; look++) {
      const bounds = (await options.fetchBounds()).get(partition);
      if (bounds === undefined || ownership().current() !== owned) return;
      if (position >= bounds.low && position <= bounds.high) return;
      if (position < bounds.low || look === END_POLLS) {
        await options.restoreCommitted(partition);
        throw stop(outOfRange(partition, position, bounds));
      }
      await delay(LOOK_PAUSE_MS);
    }
  }

  /** Ends the consumer. Thrown to kafkajs it ends the loop, without another try. */
  function stop(error: ConsumerError): Error {
    onFailed(error);
    return error;
  }

  return {
    eachBatch,
    skipped: (partition, firstOffset, lastOffset) => {
      const owned = ownership().current();
      const position = owned?.positions.get(partition);
      if (owned === undefined || position === undefined || firstOffset < position) return;
      owned.positions.set(partition, lastOffset + 1n);
      if (firstOffset > position) assertInLog(owned, partition, position).catch(onFailed);
    },
    handlersDone: async () => {
      await Promise.allSettled(running);
    },
  };
}
