import type { OffsetRange } from '../batch/batch.ts';

interface Open {
  range: OffsetRange;
  isDone: boolean;
}

/**
 * Knows up to which offset everything of a partition is stored. Batches finish in any order; an offset may be committed
 * only when all before it are stored too. Offsets themselves have gaps (compaction, transactions), so it counts ranges.
 */
export interface OffsetTracker {
  /** Call it in the order in which messages arrive. */
  open(range: OffsetRange): void;
  /** Everything in the range is stored. */
  close(range: OffsetRange): void;
  /** What to commit now (the next offset to read, as Kafka wants it), by partition, each value once. */
  takeCommittable(): Map<number, number>;
}

/** One tracker serves one assignment: after a rebalance everything is read again from the committed offsets. */
export function createOffsetTracker(): OffsetTracker {
  const open = new Map<number, Open[]>();
  const committable = new Map<number, number>();

  return {
    open(range) {
      const queue = open.get(range.partition) ?? [];
      const before = queue.at(-1);
      if (before !== undefined && range.first <= before.range.last) {
        throw new Error(
          `partition ${range.partition} went back from offset ${before.range.last} to ${range.first}`,
        );
      }
      queue.push({ range, isDone: false });
      open.set(range.partition, queue);
    },
    close(range) {
      const queue = open.get(range.partition) ?? [];
      const entry = queue.find((candidate) => candidate.range === range);
      if (entry === undefined) throw new Error(`partition ${range.partition} has no open range like this`);
      entry.isDone = true;
      while (queue[0]?.isDone === true) {
        committable.set(range.partition, queue[0].range.last + 1);
        queue.shift();
      }
    },
    takeCommittable() {
      const taken = new Map(committable);
      committable.clear();
      return taken;
    },
  };
}
