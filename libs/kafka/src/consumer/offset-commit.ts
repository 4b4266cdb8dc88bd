import type { EachBatchPayload } from 'kafkajs';
import { setTimeout as delay } from 'node:timers/promises';
import { ConsumerError } from './consumer-error.ts';
import { endsMembership, rootCause } from '../client/kafkajs-error.ts';
import type { Owned } from './ownership.ts';

/**
 * Commits with the generation of the moment. kafkajs's own `consumer.commitOffsets` tries again by itself, with
 * the generation of a later rebalance if one came between, and does nothing at all while it stops.
 */
export type CommitNow = EachBatchPayload['commitOffsetsIfNecessary'];

const TRIES = 3;
const PAUSE_MS = 200;

export async function commitOffsets(options: {
  topic: string;
  nextOffsets: ReadonlyMap<number, bigint>;
  commitNow: CommitNow | undefined;
  current: () => Owned | undefined;
}): Promise<void> {
  const { topic, nextOffsets, commitNow, current } = options;
  const owned = current();
  if (owned === undefined || commitNow === undefined) throw notAssigned();
  for (const [partition, offset] of nextOffsets) {
    const position = owned.positions.get(partition);
    if (position === undefined) throw notAssigned();
    if (offset > position) {
      throw new RangeError(`Offset ${offset} of partition ${partition} was not delivered yet`);
    }
  }
  const partitions = Array.from(nextOffsets, ([partition, offset]) => ({
    partition,
    offset: String(offset),
  }));
  for (let attempt = 1; ; attempt++) {
    if (current() !== owned) throw notAssigned();
    try {
      await commitNow({ topics: [{ topic, partitions }] });
      break;
    } catch (error) {
      if (endsMembership(error)) throw notAssigned(error);
      if (attempt === TRIES) {
        throw new ConsumerError('commit_failed', `The commit failed: ${rootCause(error).message}`, error);
      }
      await delay(PAUSE_MS * attempt);
    }
  }
  for (const [partition, offset] of nextOffsets) owned.committed.set(partition, offset);
}

function notAssigned(cause?: unknown): ConsumerError {
  return new ConsumerError('not_assigned', 'The partitions were assigned to another consumer', cause);
}
