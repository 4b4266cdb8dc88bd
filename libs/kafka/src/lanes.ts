import { createDispatcher } from './dispatcher.ts';
import type { SendReport } from './dispatcher.ts';
import { PartitionQueue } from './partition-queue.ts';
import { partitionOf } from './partition-of.ts';
import { heldBytesOf, wireBytesOf } from './pending-message.ts';
import type { PendingMessage } from './pending-message.ts';
import type { MessageHeaders, ProducerPort } from './producer-port.ts';
import { PublishError } from './publish-error.ts';

export interface LaneLimits {
  /** Memory for all messages that wait or are in flight. Beyond it publish() refuses. */
  readonly maxInFlightBytes: number;
  /**
   * The part of it that one partition may take, so that a dead leader does not use up the room of the others.
   * @default twice the even share
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
  const { producer, topic, limits, deadlineMs, observer, lanePer = 'leader' } = options;
  const now = (options.clock ?? performance).now.bind(options.clock ?? performance);
  const maxBatchBytes = limits.maxBatchBytes ?? 786_432;
  const maxBatchMessages = limits.maxBatchMessages ?? 2_000;
  const queues: PartitionQueue[] = [];
  let heldBytes = 0;
  let closing = false;
  let sweeper: NodeJS.Timeout | undefined;
  let onEmpty: (() => void) | undefined;

  const dispatcher = createDispatcher({
    producer,
    topic,
    queues,
    laneOf: (partition) => {
      if (lanePer === 'topic') return 0;
      return lanePer === 'partition' ? partition : (producer.leaders(topic)?.[partition] ?? -1);
    },
    limits: { maxBatchBytes, maxBatchMessages },
    now,
    onFreed: free,
    onSend: observer?.onSend?.bind(observer),
  });

  function free(bytes: number): void {
    heldBytes -= bytes;
    if (heldBytes === 0) onEmpty?.();
  }

  function refusal(wireBytes: number, cost: number, partitions: number): PublishError | undefined {
    const certain = { maybeStored: false };
    if (closing) return new PublishError('closed', 'The service is stopping', certain);
    if (partitions === 0) return new PublishError('unavailable', 'Kafka was not reached yet', certain);
    if (wireBytes > maxBatchBytes) return new PublishError('failed', 'The message is too large', certain);
    if (heldBytes + cost > limits.maxInFlightBytes) {
      return new PublishError('overloaded', 'Too much is waiting for Kafka', certain);
    }
    return undefined;
  }

  function publish(key: string | Buffer, value: Buffer, headers?: MessageHeaders): Promise<void> {
    const wireBytes = wireBytesOf(key, value, headers);
    const cost = heldBytesOf(wireBytes);
    const partitions = producer.leaders(topic)?.length ?? 0;
    const refused = refusal(wireBytes, cost, partitions);
    if (refused !== undefined) return Promise.reject(refused);
    const queue = queueOf(partitionOf(key, partitions));
    const maxPartitionBytes = limits.maxPartitionBytes ?? (2 * limits.maxInFlightBytes) / partitions;
    if (queue.heldBytes + cost > maxPartitionBytes) {
      const text = `Too much is waiting for partition ${queue.partition}`;
      return Promise.reject(
        new PublishError('overloaded', text, { maybeStored: false, cause: queue.lastError }),
      );
    }
    return new Promise((resolve, reject) => {
      heldBytes += cost;
      queue.push({
        message: headers === undefined ? { key, value } : { key, value, headers },
        wireBytes,
        heldBytes: cost,
        deadline: now() + deadlineMs,
        answered: false,
        resolve,
        reject,
      });
      sweeper ??= setInterval(sweep, SWEEP_MS);
      dispatcher.wake();
    });
  }

  function queueOf(partition: number): PartitionQueue {
    for (let next = queues.length; next <= partition; next++) queues.push(new PartitionQueue(next));
    const queue = queues[partition];
    if (queue === undefined) throw new RangeError(`No partition ${partition}`);
    return queue;
  }

  /** One timer for all: answers what is late, starts what waits for a retry, and ends when nothing is left. */
  function sweep(): void {
    const time = now();
    for (const queue of queues) {
      free(queue.expire(time, (late, wasSent) => answer(late, 'deadline', lateText(queue), wasSent, queue)));
    }
    if (heldBytes > 0) {
      dispatcher.wake();
    } else {
      clearInterval(sweeper);
      sweeper = undefined;
    }
  }

  const lateText = ({ lastError }: PartitionQueue): string =>
    `Not acknowledged within ${deadlineMs} ms${lastError === undefined ? '' : `: ${lastError.message}`}`;

  function answer(
    pending: PendingMessage,
    code: 'deadline' | 'closed',
    text: string,
    maybeStored: boolean,
    { lastError }: PartitionQueue,
  ): void {
    pending.answered = true;
    pending.reject(new PublishError(code, text, { maybeStored, cause: lastError }));
  }

  async function close(withinMs: number): Promise<{ unacknowledged: number }> {
    closing = true;
    if (heldBytes > 0) {
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, withinMs);
        onEmpty = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    }
    clearInterval(sweeper);
    let unacknowledged = 0;
    for (const queue of queues) {
      const end = (pending: PendingMessage, wasSent: boolean): void => {
        unacknowledged++;
        answer(pending, 'closed', 'The service stopped before the acknowledgement', wasSent, queue);
      };
      free(queue.expire(Infinity, end));
    }
    return { unacknowledged };
  }

  return {
    publish,
    stats: () => ({
      waitingMessages: queues.reduce((sum, { waiting }) => sum + waiting, 0),
      heldBytes,
      sendsInFlight: dispatcher.sendsInFlight(),
      failing: queues
        .filter(({ failures }) => failures > 0)
        .map(({ partition, failures, lastError }) => ({
          partition,
          failures,
          error: lastError?.message ?? '',
        })),
    }),
    close,
  };
}
