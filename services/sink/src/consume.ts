import { setTimeout as delay } from 'node:timers/promises';
import { ConsumerError } from '@cellarman/kafka';
import type { Assignment, ConsumerHandler, ConsumerPort } from '@cellarman/kafka';
import type { Logger } from '@cellarman/telemetry';
import { createCommitter } from './commit.ts';
import type { Committer } from './commit.ts';
import { createLag } from './lag.ts';
import type { Pipeline } from './pipeline.ts';

export interface Consumption {
  /**
   * Stores and commits what is in memory, leaves the group and disconnects. What is not stored within `flushMs`, because
   * ClickHouse is away, is read again after the next start.
   */
  stop(flushMs: number): Promise<void>;
  /** Rejects when the consumer ended by itself. */
  readonly done: Promise<void>;
  pipeline(): Pipeline | undefined;
  lag(): ReadonlyMap<number, number>;
}

/**
 * Connects the consumer with a fresh pipeline for each assignment of partitions. What a pipeline had not committed when
 * its assignment ended is forgotten here, and read again by whoever owns the partition then.
 */
export async function consume(options: {
  createConsumer: (handler: ConsumerHandler) => ConsumerPort;
  createPipeline: (commit: Committer['commit'], signal: AbortSignal) => Pipeline;
  logger: Logger;
  /** Called when the group has given this sink its partitions. */
  onAssigned: () => void;
}): Promise<Consumption> {
  const { createConsumer, createPipeline, logger, onAssigned } = options;
  const lag = createLag();
  let stopping: Promise<void> | undefined;
  let current: { assignment: Assignment; pipeline: Pipeline; committer: Committer } | undefined;

  const consumer = createConsumer({
    onAssigned(assignment) {
      lag.begin(assignment.start);
      const committer = createCommitter({
        async send(offsets) {
          await consumer.commit(
            new Map([...offsets].map(([partition, offset]) => [partition, BigInt(offset)])),
          );
          lag.committed(offsets);
        },
        isFinal: (error) => error instanceof ConsumerError && error.code === 'not_assigned',
        logger,
        signal: assignment.signal,
      });
      const pipeline = createPipeline((offsets) => committer.commit(offsets), assignment.signal);
      current = { assignment, pipeline, committer };
      logger.info({ partitions: [...assignment.start.keys()] }, 'partitions assigned');
      onAssigned();
    },
    async onBatch(batch, assignment) {
      lag.fetched(batch.partition, Number(batch.highWatermark));
      if (current?.assignment === assignment) {
        const behind = Number(batch.highWatermark - batch.nextOffset);
        await current.pipeline.take(batch.partition, batch.messages, behind);
      }
    },
    onRevoked(assignment) {
      if (current?.assignment !== assignment) return;
      logger.info({ partitions: [...assignment.start.keys()] }, 'partitions revoked');
      current = undefined;
    },
  });
  await consumer.start();

  return {
    done: consumer.done,
    pipeline: () => current?.pipeline,
    lag: () => lag.byPartition(),
    stop: (flushMs) => (stopping ??= stop(flushMs)),
  };

  async function stop(flushMs: number): Promise<void> {
    const isFlushed = await Promise.race([flush().then(() => true), delay(flushMs, false, { ref: false })]);
    if (!isFlushed) logger.warn({ flushMs }, 'not everything could be stored, the rest will be read again');
    await consumer.stop();
  }

  async function flush(): Promise<void> {
    // Flushing makes room for handlers that wait for it; after the second time nothing is left in memory.
    const quiet = consumer.quiesce();
    await current?.pipeline.flush();
    await quiet;
    await current?.pipeline.flush();
    await current?.committer.settle();
  }
}
