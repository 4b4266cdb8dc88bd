import { setTimeout as delay } from 'node:timers/promises';
import { ConsumerError } from '@cellarman/kafka';
import type { Assignment, ConsumerHandler, ConsumerPort } from '@cellarman/kafka';
import type { Logger } from '@cellarman/telemetry';
import { createCommitter } from './commit.ts';
import type { Committer } from './commit.ts';
import { createLag } from './lag.ts';
import type { Pipeline, PipelineOptions, PipelineStats } from './pipeline.ts';

export interface Consumption {
  /**
   * Stores and commits what is in memory, leaves the group and disconnects. What is not stored within `flushMs`, because
   * ClickHouse is away, is read again after the next start.
   */
  stop(flushMs: number): Promise<void>;
  /** Rejects when the consumer ended by itself. */
  readonly done: Promise<void>;
  /** What is in memory. */
  stats(): PipelineStats;
  /** Messages behind the end of the topic that are not committed, by partition. */
  lag(): ReadonlyMap<number, number>;
  /** Whether it has stopped by itself, because readings cannot be stored. */
  hasFailed(): boolean;
}

const NOTHING: PipelineStats = { gathered: 0, inFlight: 0, oldestMs: 0, firstLines: [] };

/**
 * Connects the consumer with a fresh pipeline for each assignment of partitions. When an assignment ends, its uncommitted
 * batches are dropped here, and read again by the next owner of the partition.
 */
export async function consume(options: {
  createConsumer: (handler: ConsumerHandler) => ConsumerPort;
  createPipeline: (steps: Pick<PipelineOptions, 'commit' | 'onFatal' | 'signal'>) => Pipeline;
  logger: Logger;
  /** Called when the group has given this sink its partitions. */
  onAssigned: () => void;
  /** Called once when waiting does not help. The process stays up without consuming, so that its probes and metrics alert. */
  onFatal: (error: unknown) => void;
}): Promise<Consumption> {
  const { createConsumer, createPipeline, logger, onAssigned } = options;
  const failed = new AbortController();
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
      const pipeline = createPipeline({
        commit: (offsets) => committer.commit(offsets),
        onFatal,
        signal: AbortSignal.any([assignment.signal, failed.signal]),
      });
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
    stats: () => current?.pipeline.stats() ?? NOTHING,
    lag: () => lag.byPartition(),
    hasFailed: () => failed.signal.aborted,
    stop,
  };

  function onFatal(error: unknown): void {
    if (failed.signal.aborted) return;
    failed.abort();
    options.onFatal(error);
    stop(0).catch((failure: unknown) => logger.error({ err: failure }, 'could not stop the consumer'));
  }

  function stop(flushMs: number): Promise<void> {
    stopping ??= flushThenLeave(flushMs);
    return stopping;
  }

  async function flushThenLeave(flushMs: number): Promise<void> {
    const isFlushed = await Promise.race([flush().then(() => true), delay(flushMs, false, { ref: false })]);
    if (!isFlushed) logger.warn({ flushMs }, 'could not store a whole batch, consuming the rest again');
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
