import { createDispatcher } from './dispatcher.ts';
import type { SendReport } from './dispatcher.ts';
import { createMessageStore } from './message-store.ts';
import { partitionOf } from '../producer/partition-of.ts';
import { createGroup } from './message-group.ts';
import type { GroupOutcome } from './message-group.ts';
import type { PartitionQueue } from './partition-queue.ts';
import { heldBytesInGroup, heldBytesOf, pendingMessage, wireBytesOf } from './pending-message.ts';
import type { OnStored, Publisher } from './pending-message.ts';
import type { MessageHeaders, ProducerMessage, ProducerPort } from '../producer/producer-port.ts';
import { PublishError } from './publish-error.ts';
import type { PublishErrorCode } from './publish-error.ts';

export interface LaneLimits {
  /** Memory for all messages that wait or are in flight. Beyond it publish() rejects. */
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
  /** How long a partition with few messages waits for more. @default 0 */
  readonly lingerMs?: number;
  /** Monotonic milliseconds. @default performance */
  readonly clock?: { now(): number };
  readonly observer?: { onSend?(report: SendReport): void };
}

export interface LanesStats {
  readonly waitingMessages: number;
  readonly heldBytes: number;
  readonly sendsInFlight: number;
  /** Partitions whose last send failed, as long as they have something to send, and a minute longer. */
  readonly failing: readonly { partition: number; failures: number; error: string }[];
}

export interface Lanes {
  /** Resolves when all in-sync replicas have the message. Rejects with a `PublishError`. */
  publish(key: string | Buffer, value: Buffer, headers?: MessageHeaders, onStored?: OnStored): Promise<void>;
  /**
   * Publishes messages that came together, in their order within each partition, with one promise for all. Resolves when
   * each has its outcome, and never rejects.
   *
   * A group that does not fit into the bound for all partitions is rejected whole. One that fills up a partition is cut
   * there: from the first message that does not fit, nothing more of it goes to that partition.
   *
   * A large group is queued in slices, the next when nearly all of those before are acknowledged: messages of others wait for
   * a slice, not for the group. While Kafka is slow that ends after 250 ms, so that deadlines hold.
   *
   * @param pause waited for between slices, so that other work runs
   */
  publishGroup(messages: readonly ProducerMessage[], pause?: () => Promise<void>): Promise<GroupOutcome>;
  stats(): LanesStats;
  /** Rejects new messages and waits for the others. Returns how many got no acknowledgement in time. */
  close(withinMs: number): Promise<{ unacknowledged: number }>;
}

/** Messages of a group that are queued together: half a millisecond of work. Twice as many may wait for Kafka. */
const GROUP_SLICE = 500;
const PACED_MS = 250;
/** How late a deadline may be noticed. */
const SWEEP_MS = 50;
/** The alert waits longer, so that one failure alone pages nobody. */
const FAILED_LATELY_MS = 60_000;

/** Publishes to one topic in batches that form by themselves while earlier ones are in flight. */
export function createLanes(options: LanesOptions): Lanes {
  const { producer, topic, limits, deadlineMs, lingerMs = 0, clock = performance, observer } = options;
  const maxBatchBytes = limits.maxBatchBytes ?? 786_432;
  const maxBatchMessages = limits.maxBatchMessages ?? 2_000;
  const now = (): number => clock.now();
  const store = createMessageStore(deadlineMs);
  const dispatcher = createDispatcher({
    producer,
    topic,
    queues: store.queues,
    // A lane per leader measured better than one per partition or topic.
    laneOf: (partition) => producer.leaders(topic)?.[partition] ?? -1,
    limits: { maxBatchBytes, maxBatchMessages },
    ...{ lingerMs, deadlineMs, now },
    expire: (queue, time) => store.expire(queue, time),
    onFreed: (heldBytes) => store.free(heldBytes),
    onSend: (report) => observer?.onSend?.(report),
  });
  let closing = false;
  let sweeper: NodeJS.Timeout | undefined;

  const publish: Lanes['publish'] = (key, value, headers, onStored) => {
    const wireBytes = wireBytesOf(key, value, headers);
    const heldBytes = heldBytesOf(wireBytes);
    const rejected = rejection(heldBytes);
    if (rejected !== undefined) return Promise.reject(rejected);
    const queue = store.queueOf(partitionOf(key, partitionCount()));
    const unfit = sizeProblem(queue, wireBytes, heldBytes);
    if (unfit !== undefined) return Promise.reject(unfit);

    return new Promise((resolve, reject) => {
      const publisher: Publisher = {
        acknowledged: (_, partition, offset) => resolve(onStored?.(partition, offset)),
        failed: (_, error) => reject(error),
      };
      const message = headers === undefined ? { key, value } : { key, value, headers };
      const deadline = now() + deadlineMs;
      store.push(queue, pendingMessage(message, publisher, 0, wireBytes, heldBytes, deadline));
      wake();
    });
  };

  async function publishGroup(
    messages: readonly ProducerMessage[],
    pause: () => Promise<void> = async () => {},
  ): Promise<GroupOutcome> {
    const group = createGroup(messages.length);
    const sizes = messages.map(({ key, value, headers }) => wireBytesOf(key, value, headers));
    const bytes = sizes.reduce((sum, wireBytes) => sum + heldBytesInGroup(wireBytes), 0);
    const rejected = rejection(bytes);
    if (rejected !== undefined) {
      for (const index of messages.keys()) group.failed(index, rejected);
      return group.outcome;
    }
    // Its room is reserved immediately, although it is queued in slices.
    store.hold(bytes);
    const pacedUntil = now() + PACED_MS;
    const cut = new Map<PartitionQueue, PublishError>();
    for (let start = 0; start < messages.length; start += GROUP_SLICE) {
      if (start > 0) {
        await pause();
        await group.settled(start - GROUP_SLICE, pacedUntil - now());
      }
      const deadline = now() + deadlineMs;
      const stopped = rejection(0);
      const end = Math.min(start + GROUP_SLICE, messages.length);
      for (let index = start; index < end; index++) {
        const message = messages[index] as ProducerMessage;
        const wireBytes = sizes[index] as number;
        const heldBytes = heldBytesInGroup(wireBytes);
        store.free(heldBytes);
        const queue = store.queueOf(partitionOf(message.key, partitionCount()));
        const unfit = stopped ?? cut.get(queue) ?? sizeProblem(queue, wireBytes, heldBytes);
        if (unfit === undefined) {
          store.push(queue, pendingMessage(message, group, index, wireBytes, heldBytes, deadline));
          continue;
        }
        // What is too large by itself stops nobody.
        if (unfit.code === 'overloaded') cut.set(queue, unfit);
        group.failed(index, unfit);
      }
      wake();
    }
    return group.outcome;
  }

  function partitionCount(): number {
    return producer.leaders(topic)?.length ?? 0;
  }

  /** Returns why messages of this size are rejected now, if they are. */
  function rejection(heldBytes: number): PublishError | undefined {
    if (closing) return unpublished('closed', 'The service is stopping');
    if (partitionCount() === 0) return unpublished('unavailable', 'Kafka was not reached yet');
    if (store.heldBytes() + heldBytes <= limits.maxInFlightBytes) return undefined;
    return unpublished('overloaded', 'Too much is waiting for Kafka');
  }

  /** Why one message does not fit into the queue of its partition. */
  function sizeProblem(
    queue: PartitionQueue,
    wireBytes: number,
    heldBytes: number,
  ): PublishError | undefined {
    if (wireBytes > maxBatchBytes) return unpublished('failed', 'The message is too large');
    const most = limits.maxPartitionBytes ?? partitionShare(limits, partitionCount());
    if (queue.heldBytes + heldBytes <= most) return undefined;
    return unpublished('overloaded', `Too much is waiting for partition ${queue.partition}`, queue.lastError);
  }

  function wake(): void {
    if (store.heldBytes() === 0) return;
    sweeper ??= setInterval(sweep, SWEEP_MS);
    dispatcher.wake();
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
    publishGroup,
    stats: () => ({
      waitingMessages: store.queues.reduce((sum, { waiting }) => sum + waiting, 0),
      heldBytes: store.heldBytes(),
      sendsInFlight: dispatcher.sendsInFlight(),
      failing: store.queues
        .filter((queue) => isFailing(queue, now()))
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

/**
 * Only a send can find out that a partition has recovered. Where nothing is left to send, its clients have gone to another
 * replica or have given up, and an old failure would page an operator forever.
 */
function isFailing({ failures, heldBytes, failedAt }: PartitionQueue, now: number): boolean {
  return failures > 0 && (heldBytes > 0 || now - failedAt < FAILED_LATELY_MS);
}

function unpublished(code: PublishErrorCode, text: string, cause?: unknown): PublishError {
  return new PublishError(code, text, { maybeStored: false, cause });
}

function partitionShare({ maxInFlightBytes }: LaneLimits, partitions: number): number {
  return partitions === 1 ? maxInFlightBytes : Math.min(2 / partitions, 1 / 2) * maxInFlightBytes;
}
