import { createDispatcher } from './dispatcher.ts';
import type { SendReport } from './dispatcher.ts';
import { createMessageStore } from './message-store.ts';
import { partitionOf } from '../producer/partition-of.ts';
import { heldBytesOf, wireBytesOf } from './pending-message.ts';
import type { MessageHeaders, ProducerPort } from '../producer/producer-port.ts';
import { PublishError } from './publish-error.ts';
import type { PublishErrorCode } from './publish-error.ts';

export interface LaneLimits {
  /** Memory for all messages that wait or are in flight. Beyond it publish() refuses. */
  readonly maxInFlightBytes: number;
  /**
   * The part of it that one partition may take, so that a dead leader does not use up the room of the others.
   * @default twice the even share, at most the half
   */
  readonly maxPartitionBytes?: number;
  /** One send; below the topic's max.message.bytes. @default 786432 */
  readonly maxBatchBytes?: number;
  /** One send. @default 2000 */
  readonly maxBatchMessages?: number;
}

export interface LanesOptions {
  readonly producer: ProducerPort;
  readonly topic: string;
  readonly limits: LaneLimits;
  /** How long publish() waits for the acknowledgement. */
  readonly deadlineMs: number;
  /** Monotonic milliseconds. @default performance */
  readonly clock?: { now(): number };
  readonly observer?: { onSend?(report: SendReport): void };
  /** What shares a send. Leaders measured best; the others are for comparison. @default 'leader' */
  readonly lanePer?: 'leader' | 'partition' | 'topic';
}

export interface LanesStats {
  readonly waitingMessages: number;
  readonly heldBytes: number;
  readonly sendsInFlight: number;
  /** Partitions whose last send failed. */
  readonly failing: readonly { partition: number; failures: number; error: string }[];
}

export interface Lanes {
  /** Resolves when all in-sync replicas have the message. Rejects with a `PublishError`. */
  publish(key: string | Buffer, value: Buffer, headers?: MessageHeaders): Promise<void>;
  stats(): LanesStats;
  /** Refuses new messages and waits for the others. Tells how many got no acknowledgement in time. */
  close(withinMs: number): Promise<{ unacknowledged: number }>;
}

/** How late a deadline may be noticed. */
const SWEEP_MS = 50;

/** Publishes to one topic in batches that form by themselves while earlier ones are in flight. */
export function createLanes(options: LanesOptions): Lanes {
  const { producer, topic, limits, deadlineMs, clock = performance, observer, lanePer = 'leader' } = options;
  const maxBatchBytes = limits.maxBatchBytes ?? 786_432;
  const maxBatchMessages = limits.maxBatchMessages ?? 2_000;
  const now = (): number => clock.now();
  const store = createMessageStore(deadlineMs);
  const dispatcher = createDispatcher({
    producer,
    topic,
    queues: store.queues,
    laneOf: (partition) => {
      if (lanePer === 'topic') return 0;
      return lanePer === 'partition' ? partition : (producer.leaders(topic)?.[partition] ?? -1);
    },
    limits: { maxBatchBytes, maxBatchMessages },
    now,
    expire: (queue, time) => store.expire(queue, time),
    onFreed: (heldBytes) => store.free(heldBytes),
    onSend: (report) => observer?.onSend?.(report),
  });
  let closing = false;
  let sweeper: NodeJS.Timeout | undefined;

  function publish(key: string | Buffer, value: Buffer, headers?: MessageHeaders): Promise<void> {
    const partitions = producer.leaders(topic)?.length ?? 0;
    if (closing) return refuse('closed', 'The service is stopping');
    if (partitions === 0) return refuse('unavailable', 'Kafka was not reached yet');

    const wireBytes = wireBytesOf(key, value, headers);
    if (wireBytes > maxBatchBytes) return refuse('failed', 'The message is too large');
    const heldBytes = heldBytesOf(wireBytes);
    if (store.heldBytes() + heldBytes > limits.maxInFlightBytes) {
      return refuse('overloaded', 'Too much is waiting for Kafka');
    }
    const queue = store.queueOf(partitionOf(key, partitions));
    if (queue.heldBytes + heldBytes > (limits.maxPartitionBytes ?? partitionShare(limits, partitions))) {
      return refuse('overloaded', `Too much is waiting for partition ${queue.partition}`, queue.lastError);
    }

    return new Promise((resolve, reject) => {
      store.push(queue, {
        message: headers === undefined ? { key, value } : { key, value, headers },
        wireBytes,
        heldBytes,
        deadline: now() + deadlineMs,
        sent: false,
        answered: false,
        resolve,
        reject,
      });
      sweeper ??= setInterval(sweep, SWEEP_MS);
      dispatcher.wake();
    });
  }

  /** One timer for all deadlines and retries. It ends when nothing is left. */
  function sweep(): void {
    if (store.heldBytes() > 0) {
      dispatcher.wake();
    } else {
      clearInterval(sweeper);
      sweeper = undefined;
    }
  }

  return {
    publish,
    stats: () => ({
      waitingMessages: store.queues.reduce((sum, { waiting }) => sum + waiting, 0),
      heldBytes: store.heldBytes(),
      sendsInFlight: dispatcher.sendsInFlight(),
      failing: store.queues
        .filter(({ failures }) => failures > 0)
        .map(({ partition, failures, lastError }) => ({
          partition,
          failures,
          error: lastError?.message ?? '',
        })),
    }),
    close: async (withinMs) => {
      closing = true;
      const unacknowledged = await store.drain(withinMs);
      clearInterval(sweeper);
      return { unacknowledged };
    },
  };
}

function refuse(code: PublishErrorCode, text: string, cause?: unknown): Promise<never> {
  return Promise.reject(new PublishError(code, text, { maybeStored: false, cause }));
}

function partitionShare({ maxInFlightBytes }: LaneLimits, partitions: number): number {
  return partitions === 1 ? maxInFlightBytes : Math.min(2 / partitions, 1 / 2) * maxInFlightBytes;
}
