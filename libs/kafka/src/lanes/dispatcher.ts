import { fillBatch } from './fill-batch.ts';
import type { BatchLimits } from './fill-batch.ts';
import { createLinger } from './linger.ts';
import type { PartitionQueue } from './partition-queue.ts';
import { ProduceError } from '../producer/produce-error.ts';
import type { BaseOffsets, ProducerPort } from '../producer/producer-port.ts';
import { PublishError } from './publish-error.ts';

/** What happened to one send, for metrics. */
export interface SendReport {
  readonly partitions: number;
  readonly messages: number;
  readonly bytes: number;
  readonly durationMs: number;
  /** Undefined when everything was acknowledged. */
  readonly error: ProduceError | undefined;
}

export interface DispatcherOptions {
  readonly producer: ProducerPort;
  readonly topic: string;
  readonly queues: readonly PartitionQueue[];
  /** The lane that a partition shares while all is well. */
  readonly laneOf: (partition: number) => number;
  readonly limits: BatchLimits;
  /** How long a partition with few messages waits for more, in milliseconds. */
  readonly lingerMs: number;
  readonly deadlineMs: number;
  readonly now: () => number;
  /** Fails messages of a queue that are past their deadline, so that they are not sent. */
  readonly expire: (queue: PartitionQueue, now: number) => void;
  readonly onFreed: (heldBytes: number) => void;
  readonly onSend: ((report: SendReport) => void) | undefined;
}

interface Attempt {
  error: ProduceError | undefined;
  offsets: BaseOffsets;
}

export interface Dispatcher {
  /** Sends what is ready, at the end of this turn of the event loop: what one turn publishes goes together. */
  wake(): void;
  sendsInFlight(): number;
}

const FIRST_RETRY_MS = 50;
const LONGEST_RETRY_MS = 1_000;

/**
 * Decides what is sent when. A lane has at most one send in flight and sends again as soon as it is done: messages accumulate
 * meanwhile, and without a linger nothing else delays them. A partition whose send failed leaves its lane and is sent alone until a send of it succeeds,
 * so its failures neither delay nor fail other partitions.
 */
export function createDispatcher(options: DispatcherOptions): Dispatcher {
  const { producer, topic, queues, laneOf, limits, now, expire, onFreed, onSend } = options;
  const linger = createLinger(options.lingerMs, options.deadlineMs, () => pump());
  const busyLanes = new Set<number>();
  let inFlight = 0;
  let turn = 0;
  let waking = false;

  function pump(): void {
    const time = now();
    const readyByLane = new Map<number, PartitionQueue[]>();
    for (const queue of queues) {
      expire(queue, time);
      if (!queue.isReady(time)) continue;
      if (queue.failures > 0) {
        queue.take(Math.min(queue.mostMessages, limits.maxBatchMessages), limits.maxBatchBytes);
        void launch([queue], undefined);
        continue;
      }
      const lane = laneOf(queue.partition);
      if (busyLanes.has(lane) || linger.delays(queue, time)) continue;
      const ready = readyByLane.get(lane);
      if (ready === undefined) readyByLane.set(lane, [queue]);
      else ready.push(queue);
    }
    for (const [lane, ready] of readyByLane) {
      void launch(fillBatch(ready, turn++, limits), lane);
    }
  }

  async function launch(sent: readonly PartitionQueue[], lane: number | undefined): Promise<void> {
    const started = now();
    const measured = onSend === undefined ? undefined : sizeOf(sent);
    if (lane !== undefined) busyLanes.add(lane);
    inFlight++;
    const { error, offsets } = await attempt(sent);
    inFlight--;
    if (lane !== undefined) busyLanes.delete(lane);
    for (const queue of sent) settle(queue, error, offsets.get(queue.partition), sent.length === 1);
    if (measured !== undefined) {
      onSend?.({ partitions: sent.length, ...measured, durationMs: now() - started, error });
    }
    pump();
  }

  async function attempt(sent: readonly PartitionQueue[]): Promise<Attempt> {
    try {
      const offsets = await producer.send(
        topic,
        sent.map(({ partition, inFlight: flight }) => ({
          partition,
          messages: flight.map(({ message }) => message),
        })),
      );
      return { offsets, error: undefined };
    } catch (cause) {
      if (cause instanceof ProduceError) return { offsets: cause.acknowledged, error: cause };
      const partitions = sent.map(({ partition }) => partition);
      const error = new ProduceError(String(cause), {
        ...{ code: 'unreachable', retriable: true, partitions, cause },
      });
      return { offsets: error.acknowledged, error };
    }
  }

  function settle(
    queue: PartitionQueue,
    error: ProduceError | undefined,
    baseOffset: number | undefined,
    wasAlone: boolean,
  ): void {
    if (error?.partitions.includes(queue.partition) !== true) {
      queue.failures = 0;
      queue.lastError = undefined;
      queue.mostMessages = Infinity;
      let offset = baseOffset;
      for (const pending of queue.inFlight) {
        if (!pending.answered) pending.publisher.acknowledged(pending.index, queue.partition, offset);
        if (offset !== undefined) offset++;
      }
      onFreed(queue.complete(() => false));
      return;
    }
    queue.failures++;
    queue.lastError = error;
    queue.failedAt = now();
    queue.retryAt = queue.failedAt + retryDelay(queue.failures);
    if (isFinal(queue, error, wasAlone)) {
      // Before the rejection a send may have timed out.
      const maybeStored = queue.failures > 1;
      const rejected = new PublishError('failed', error.message, { maybeStored, cause: error });
      for (const pending of queue.inFlight) {
        if (!pending.answered) pending.publisher.failed(pending.index, rejected);
      }
      onFreed(queue.complete(() => false));
      return;
    }
    onFreed(queue.complete((pending) => !pending.answered));
  }

  return {
    wake: () => {
      if (waking) return;
      waking = true;
      setImmediate(() => {
        waking = false;
        pump();
      });
    },
    sendsInFlight: () => inFlight,
  };
}

/** Whether trying again is pointless for what is in flight. */
function isFinal(queue: PartitionQueue, error: ProduceError, wasAlone: boolean): boolean {
  if (error.retriable) return false;
  // A rejection of a send of many may be meant for another partition: each is tried alone first.
  if (!wasAlone) return false;
  if (error.code !== 'too_large' || queue.inFlight.length === 1) return true;
  // The topic's limit is below our batch size. Half of the batch may pass; if a single message does not, it is too large.
  queue.mostMessages = Math.ceil(queue.inFlight.length / 2);
  return false;
}

function retryDelay(failures: number): number {
  const delay = Math.min(FIRST_RETRY_MS * 2 ** (failures - 1), LONGEST_RETRY_MS);
  // Jitter, so that the replicas of a service do not come back in step.
  return delay * (0.75 + Math.random() / 2);
}

function sizeOf(sent: readonly PartitionQueue[]): { messages: number; bytes: number } {
  let messages = 0;
  let bytes = 0;
  for (const { inFlight } of sent) {
    messages += inFlight.length;
    for (const pending of inFlight) bytes += pending.wireBytes;
  }
  return { messages, bytes };
}
