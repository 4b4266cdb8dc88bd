import { PartitionQueue } from './partition-queue.ts';
import type { PendingMessage } from './pending-message.ts';
import { PublishError } from './publish-error.ts';

/** Everything between publish() and its outcome: a queue for each partition, and what they hold together. */
export interface MessageStore {
  /** By partition number. */
  readonly queues: readonly PartitionQueue[];
  heldBytes(): number;
  queueOf(partition: number): PartitionQueue;
  push(queue: PartitionQueue, pending: PendingMessage): void;
  /** Fails messages past their deadline, also in flight; unsent ones are dropped. */
  expire(queue: PartitionQueue, now: number): void;
  /** Takes room for messages that are pushed later; `free` gives it back before. */
  hold(heldBytes: number): void;
  /** Kafka is done with these bytes. */
  free(heldBytes: number): void;
  /** Waits until the store is empty, fails the messages that are left after that time, and returns their number. */
  drain(withinMs: number): Promise<number>;
}

export function createMessageStore(deadlineMs: number): MessageStore {
  const queues: PartitionQueue[] = [];
  let heldBytes = 0;
  let onEmpty: (() => void) | undefined;

  function free(bytes: number): void {
    heldBytes -= bytes;
    if (heldBytes === 0) onEmpty?.();
  }

  function answer(queue: PartitionQueue, now: number, code: 'deadline' | 'closed', text: string): number {
    let answered = 0;
    let ofSent: PublishError | undefined;
    let ofUnsent: PublishError | undefined;
    const errorOf = (maybeStored: boolean) =>
      new PublishError(code, text, { maybeStored, cause: queue.lastError });
    const freed = queue.expire(now, (pending) => {
      answered++;
      pending.answered = true;
      // Thousands can expire together, and an error with its own stack for each would block the event loop.
      const error = pending.sent ? (ofSent ??= errorOf(true)) : (ofUnsent ??= errorOf(false));
      pending.publisher.failed(pending.index, error);
    });
    free(freed);
    return answered;
  }

  return {
    queues,
    heldBytes: () => heldBytes,
    queueOf: (partition) => {
      for (let next = queues.length; next < partition; next++) queues.push(new PartitionQueue(next));
      return (queues[partition] ??= new PartitionQueue(partition));
    },
    push: (queue, pending) => {
      heldBytes += pending.heldBytes;
      queue.push(pending);
    },
    expire: (queue, now) => {
      const why = queue.lastError === undefined ? '' : `: ${queue.lastError.message}`;
      answer(queue, now, 'deadline', `Not acknowledged within ${deadlineMs} ms${why}`);
    },
    hold: (bytes) => {
      heldBytes += bytes;
    },
    free,
    drain: async (withinMs) => {
      if (heldBytes > 0) {
        const empty = Promise.withResolvers<undefined>();
        onEmpty = () => empty.resolve(undefined);
        const timer = setTimeout(onEmpty, withinMs);
        await empty.promise;
        clearTimeout(timer);
      }
      const text = 'The service stopped before the acknowledgement';
      return queues.reduce((sum, queue) => sum + answer(queue, Infinity, 'closed', text), 0);
    },
  };
}
