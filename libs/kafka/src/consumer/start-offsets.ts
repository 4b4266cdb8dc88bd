import { retryUntilDone } from '@cellarman/concurrency';
import { withAdmin } from '../client/admin-session.ts';
import { ConsumerError } from './consumer-error.ts';
import type { ClientTiming, KafkaConnection } from '../client/kafka-connection.ts';
import type { StartOffsets } from './ownership.ts';

/** The offsets that a partition holds: `low` is its first record, `high` the one after its last. */
export interface LogBounds {
  readonly low: bigint;
  readonly high: bigint;
}

export async function fetchLogBounds(
  connection: KafkaConnection,
  topic: string,
  timing?: ClientTiming,
): Promise<Map<number, LogBounds>> {
  const offsets = await withAdmin(connection, (admin) => admin.fetchTopicOffsets(topic), timing);
  return new Map(
    offsets.map(({ partition, low, high }) => [partition, { low: BigInt(low), high: BigInt(high) }] as const),
  );
}

/** By partition the first record that the broker took at or after a time and still has; its end where there is none. */
export async function fetchOffsetsAt(
  connection: KafkaConnection,
  topic: string,
  timestampMs: number,
): Promise<Map<number, bigint>> {
  const found = await withAdmin(connection, (admin) =>
    admin.fetchTopicOffsetsByTimestamp(topic, timestampMs),
  );
  return new Map(found.map(({ partition, offset }) => [partition, BigInt(offset)] as const));
}

/** Committed offsets by partition; a negative number stands for none, as in the protocol. */
async function fetchCommitted(
  connection: KafkaConnection,
  groupId: string,
  topic: string,
  timing?: ClientTiming,
): Promise<Map<number, bigint>> {
  const [response] = await withAdmin(
    connection,
    (admin) => admin.fetchOffsets({ groupId, topics: [topic] }),
    timing,
  );
  return new Map(
    (response?.partitions ?? []).map(({ partition, offset }) => [partition, BigInt(offset)] as const),
  );
}

/**
 * Finds where a new assignment begins in each partition. Retries a few times, since a rebalance often comes with a broker that
 * is stopping or starting.
 */
export function createStartOffsets(options: {
  connection: KafkaConnection;
  topic: string;
  groupId: string;
  startAt: ReadonlyMap<number, bigint> | undefined;
  timing: ClientTiming;
}): (partitions: readonly number[]) => Promise<StartOffsets> {
  const { connection, topic, groupId, startAt, timing } = options;

  async function read(partitions: readonly number[]): Promise<StartOffsets> {
    const [bounds, from] = await Promise.all([
      fetchLogBounds(connection, topic, timing),
      startAt ?? fetchCommitted(connection, groupId, topic, timing),
    ]);
    const start = new Map<number, bigint>();
    for (const partition of partitions) {
      const held = bounds.get(partition);
      if (held === undefined) throw new Error(`Kafka returned no offsets for partition ${partition}`);
      start.set(partition, startOffset(partition, from.get(partition), held));
    }
    return { start, committed: startAt === undefined ? from : new Map() };
  }

  return (partitions) => retryUntilDone(() => read(partitions), RETRY);
}

/**
 * Waits until the coordinator of the group is available. kafkajs gives up immediately when it joins while the coordinator is
 * still loading, as on a new cluster and after the restart of a broker.
 */
export async function awaitCoordinator(
  connection: KafkaConnection,
  groupId: string,
  topic: string,
  timing: ClientTiming,
): Promise<void> {
  await retryUntilDone(() => fetchCommitted(connection, groupId, topic, timing), RETRY);
}

const RETRY = {
  attempts: 12,
  firstDelayMs: 200,
  maxDelayMs: 1_000,
  isFinal: (error: unknown) => error instanceof ConsumerError,
};
const NEVER_COMMITTED = -1n;

/**
 * Returns where to begin reading a partition: at the committed offset, or at the beginning when there is none.
 *
 * An offset below the log means that records were deleted before they were read. That is never skipped silently: an operator
 * resets the group with `kafka-consumer-groups.sh --reset-offsets`. For an offset above the log, the broker decides on the
 * fetch: right after an election a leader may report a log end that is too low.
 */
export function startOffset(partition: number, committed: bigint | undefined, bounds: LogBounds): bigint {
  if (committed === undefined || committed === NEVER_COMMITTED) return bounds.low;
  if (committed >= bounds.low) return committed;
  throw outOfRange(partition, committed, bounds);
}

export function outOfRange(partition: number, wanted: bigint, { low, high }: LogBounds): ConsumerError {
  return new ConsumerError(
    'offset_out_of_range',
    `Partition ${partition} holds the offsets ${low} to ${high}, the group wants ${wanted}${explain(wanted, low)}. ` +
      'Reset the offsets of the group by hand to accept this.',
  );
}

function explain(wanted: bigint, low: bigint): string {
  if (wanted < 0n) return ': kafkajs has reset it, because the log had lost what came next';
  return wanted < low ? `: ${low - wanted} records were deleted unread` : ': the topic was recreated';
}
