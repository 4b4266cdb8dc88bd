import type { Consumer } from 'kafkajs';
import type { Assignment, ConsumerHandler } from './consumer-port.ts';

/** An assignment with what the consumer itself keeps about it. */
export interface Owned extends Assignment {
  readonly start: Map<number, bigint>;
  /** The offset to deliver next, by partition. */
  readonly positions: Map<number, bigint>;
  /** The last offset known to be committed, by partition. */
  readonly committed: Map<number, bigint>;
  readonly controller: AbortController;
  /** The handler knows of it, and batches may be delivered. */
  announced: boolean;
}

export interface StartOffsets {
  readonly start: ReadonlyMap<number, bigint>;
  readonly committed: ReadonlyMap<number, bigint>;
}

export interface Ownership {
  current(): Owned | undefined;
  /** The group gave this consumer these partitions. Called in the moment when it joined. */
  takeOver(partitions: readonly number[]): void;
  /** Signals running handlers to return, because the membership has ended. */
  abort(): void;
  /** Ends the assignment for good. */
  end(): Promise<void>;
}

/**
 * Keeps what this consumer owns. The changes run one after the other: the old assignment is revoked before the
 * new one is announced.
 *
 * kafkajs resumes by itself at what it believes to be the position, and it may believe wrong: a batch fetched
 * before a rebalance can still move the position after it, past records that were dropped with the old
 * assignment. So each assignment begins paused, is set to its committed offsets explicitly, and only then runs.
 */
export function createOwnership(options: {
  consumer: Consumer;
  topic: string;
  handler: ConsumerHandler;
  findStart: (partitions: readonly number[]) => Promise<StartOffsets>;
  /** False for what the user has paused. */
  mayFetch: (partition: number) => boolean;
  /** Resolves when no handler runs any more. */
  handlersDone: () => Promise<void>;
  onFailed: (error: unknown) => void;
}): Ownership {
  const { consumer, topic, handler, findStart, mayFetch, handlersDone, onFailed } = options;
  let owned: Owned | undefined;
  let changes: Promise<void> = Promise.resolve();

  function takeOver(partitions: readonly number[]): void {
    const previous = owned;
    previous?.controller.abort();
    const next = newOwned();
    owned = next;
    consumer.pause([{ topic, partitions: [...partitions] }]);
    changes = changes
      .then(() => revoke(previous))
      .then(() => begin(next, partitions))
      .catch(onFailed);
  }

  async function revoke(previous: Owned | undefined): Promise<void> {
    await handlersDone();
    if (previous?.announced === true) await handler.onRevoked?.(previous);
  }

  async function begin(next: Owned, partitions: readonly number[]): Promise<void> {
    if (owned !== next) return;
    const { start, committed } = await findStart(partitions);
    // Another rebalance may have happened during the request.
    if (isSuperseded(next)) return;
    for (const [partition, offset] of start) {
      next.start.set(partition, offset);
      next.positions.set(partition, offset);
      consumer.seek({ topic, partition, offset: String(offset) });
    }
    for (const [partition, offset] of committed) next.committed.set(partition, offset);
    next.announced = true;
    await handler.onAssigned?.(next);
    if (!isSuperseded(next)) consumer.resume([{ topic, partitions: partitions.filter(mayFetch) }]);
  }

  const isSuperseded = (assignment: Owned): boolean => owned !== assignment;

  return {
    current: () => owned,
    takeOver,
    abort: () => owned?.controller.abort(),
    end: async () => {
      const last = owned;
      owned = undefined;
      last?.controller.abort();
      await changes;
      await revoke(last);
    },
  };
}

function newOwned(): Owned {
  const controller = new AbortController();
  return {
    start: new Map(),
    positions: new Map(),
    committed: new Map(),
    controller,
    signal: controller.signal,
    announced: false,
  };
}
