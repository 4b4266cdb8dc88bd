import { createBatchDelivery } from './batch-delivery.ts';
import { ConsumerError } from './consumer-error.ts';
import type { ConsumerHandler, ConsumerPort } from './consumer-port.ts';
import { openConsumerClient } from './consumer-client.ts';
import type { ConsumerLimits, ConsumerTiming } from './consumer-client.ts';
import { rootCause } from '../client/kafkajs-error.ts';
import type { KafkaConnection } from '../client/kafka-connection.ts';
import { commitOffsets } from './offset-commit.ts';
import type { CommitNow } from './offset-commit.ts';
import { createOwnership } from './ownership.ts';
import { watchForStall } from './stall-watch.ts';
import { awaitCoordinator, createStartOffsets, fetchLogBounds } from './start-offsets.ts';

export interface KafkaConsumerOptions {
  readonly connection: KafkaConnection;
  readonly topic: string;
  readonly groupId: string;
  readonly handler: ConsumerHandler;
  readonly limits?: ConsumerLimits;
  readonly timing?: ConsumerTiming;
  /** Fixed offsets to begin at, for reading without a group's offsets. @default what the group has committed */
  readonly startAt?: ReadonlyMap<number, bigint>;
}

/** The consumer port on kafkajs. */
export function createKafkaConsumer(options: KafkaConsumerOptions): ConsumerPort {
  const { connection, topic, groupId, handler, limits = {}, timing = {} } = options;
  const client = openConsumerClient({ connection, groupId, limits, timing });
  const { consumer } = client;
  const { GROUP_JOIN, HEARTBEAT, FETCH, START_BATCH_PROCESS, CRASH } = consumer.events;
  const end = Promise.withResolvers<undefined>();
  end.promise.catch(() => undefined);
  const paused = new Set<number>();
  let quiet = false;
  let ended = false;
  let commitNow: CommitNow | undefined;

  const ownership = createOwnership({
    consumer,
    topic,
    handler,
    findStart: createStartOffsets({ connection, topic, groupId, startAt: options.startAt, timing }),
    mayFetch,
    handlersDone: () => delivery.handlersDone(),
    onFailed: fail,
  });
  const delivery = createBatchDelivery({
    consumer,
    topic,
    handler,
    ownership: () => ownership,
    mayDeliver: mayFetch,
    heartbeatIntervalMs: client.heartbeatIntervalMs,
    fetchBounds: () => fetchLogBounds(connection, topic, timing),
    restoreCommitted,
    onFailed: fail,
    logger: connection.logger,
  });
  const watch = watchForStall(timing.stallTimeoutMs ?? 60_000, () =>
    fail(new ConsumerError('stalled', 'The Kafka consumer shows no sign of life')),
  );

  consumer.on(GROUP_JOIN, ({ payload }) => {
    watch.alive();
    paused.clear();
    if (!ended) ownership.takeOver(payload.memberAssignment[topic] ?? []);
  });
  consumer.on(HEARTBEAT, () => watch.alive());
  consumer.on(FETCH, () => watch.alive());
  consumer.on(START_BATCH_PROCESS, ({ payload }) => {
    const { batchSize, partition, firstOffset, lastOffset } = payload;
    // The types promise an offset, but a batch may be empty.
    const first = firstOffset as string | null;
    if (batchSize === 0 && first !== null) delivery.skipped(partition, BigInt(first), BigInt(lastOffset));
  });
  consumer.on(CRASH, ({ payload: { error } }) => {
    fail(new ConsumerError('crashed', `The Kafka consumer crashed: ${error.message}`, error));
  });

  function mayFetch(partition: number): boolean {
    return !quiet && !ended && !paused.has(partition);
  }

  async function restoreCommitted(partition: number): Promise<void> {
    const offset = ownership.current()?.committed.get(partition);
    if (offset === undefined || offset < 0n) return;
    await commitNow?.({ topics: [{ topic, partitions: [{ partition, offset: String(offset) }] }] });
  }

  function fail(error: unknown): void {
    if (ended) return;
    const reason =
      error instanceof ConsumerError
        ? error
        : new ConsumerError('crashed', `The Kafka consumer failed: ${rootCause(error).message}`, error);
    connection.logger.error({ code: reason.code, topic, groupId }, `Kafka: ${reason.message}`);
    void finish().finally(() => end.reject(reason));
  }

  async function join(): Promise<void> {
    await awaitCoordinator(connection, groupId, topic, timing);
    await consumer.connect();
    await consumer.subscribe({ topic, fromBeginning: true });
    await consumer.run({
      autoCommit: false,
      eachBatchAutoResolve: false,
      partitionsConsumedConcurrently: limits.partitionsAtOnce ?? 32,
      eachBatch: (payload) => {
        commitNow = (offsets) => payload.commitOffsetsIfNecessary(offsets);
        return delivery.eachBatch(payload);
      },
    });
  }

  async function finish(): Promise<void> {
    ended = true;
    watch.stop();
    ownership.abort();
    await client.close();
    await ownership.end();
  }

  return {
    start: async () => {
      try {
        await join();
      } catch (error) {
        fail(error);
      }
      // A failed join does not reject run(); it ends the consumer.
      if (ended) await end.promise;
    },
    done: end.promise,
    commit: (nextOffsets) =>
      nextOffsets.size === 0
        ? Promise.resolve()
        : commitOffsets({ topic, nextOffsets, commitNow, current: () => ownership.current() }),
    position: (partition) => ownership.current()?.positions.get(partition),
    pause: (partitions) => {
      const list = [...partitions];
      for (const partition of list) paused.add(partition);
      consumer.pause([{ topic, partitions: list }]);
    },
    resume: (partitions) => {
      const list = [...partitions].filter((partition) => paused.delete(partition));
      if (!quiet && ownership.current()?.announced === true) consumer.resume([{ topic, partitions: list }]);
    },
    quiesce: async () => {
      quiet = true;
      consumer.pause([{ topic, partitions: [...(ownership.current()?.positions.keys() ?? [])] }]);
      await delivery.handlersDone();
    },
    stop: async () => {
      if (!ended) await finish().finally(() => end.resolve(undefined));
      await end.promise.catch(() => undefined);
    },
  };
}
