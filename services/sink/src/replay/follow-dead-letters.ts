import { MAX_DEAD_LETTERS_PER_REQUEST } from '@cellarman/contracts';
import { createKafkaConsumer } from '@cellarman/kafka';
import type { KafkaConnection, MessageBatch } from '@cellarman/kafka';
import type { KeyServiceClient } from '@cellarman/key-service-client';
import type { Logger } from '@cellarman/telemetry';
import { retryUntilDone, startLoop } from '@cellarman/concurrency';
import { readDeadLetter } from './read-dead-letter.ts';

const RESTART_MS = 10_000;
const STOP_MS = 2_000;
const FETCH_LIMITS = { maxBytes: 2 * 1024 * 1024, maxBytesPerPartition: 2 * 1024 * 1024 };

/**
 * Copies the dead letters from Kafka to key-service, where owners see them. Offsets are committed afterwards, so that a
 * sink that is killed copies some of them again, which changes nothing. The readings do not depend on it.
 */
export function followDeadLetters(options: {
  connection: KafkaConnection;
  topic: string;
  groupId: string;
  keyService: Pick<KeyServiceClient, 'recordDeadLetters'>;
  logger: Logger;
}): { stop(): Promise<void> } {
  const { connection, topic, groupId, keyService, logger } = options;
  async function consume(signal: AbortSignal): Promise<void> {
    const consumer = createKafkaConsumer({
      ...{ connection, topic, groupId, limits: FETCH_LIMITS },
      handler: {
        async onBatch(batch, assignment) {
          const ended = AbortSignal.any([signal, assignment.signal]);
          try {
            await copy(batch, ended);
            await consumer.commit(new Map([[batch.partition, batch.nextOffset]]));
          } catch (error) {
            // The next owner of the partition copies them.
            if (!ended.aborted) throw error;
          }
        },
      },
    });
    const leave = () => void consumer.stop().catch(() => undefined);
    signal.addEventListener('abort', leave, { once: true });
    try {
      await consumer.start();
      await consumer.done;
    } finally {
      signal.removeEventListener('abort', leave);
      await consumer.stop().catch(() => undefined);
    }
  }

  async function copy({ messages }: MessageBatch, ended: AbortSignal): Promise<void> {
    const letters = messages.map(readDeadLetter).filter((letter) => letter !== undefined);
    for (let first = 0; first < letters.length; first += MAX_DEAD_LETTERS_PER_REQUEST) {
      const some = letters.slice(first, first + MAX_DEAD_LETTERS_PER_REQUEST);
      await retryUntilDone(() => keyService.recordDeadLetters(some), {
        signal: ended,
        onRetry(error, attempt) {
          if (attempt === 1)
            logger.warn({ err: error }, 'key-service does not accept dead letters, will retry');
        },
      });
    }
  }

  return startLoop({
    ...{ work: consume, intervalMs: RESTART_MS, stopMs: STOP_MS, logger },
    failed: 'cannot copy dead letters to key-service, retrying',
    // It returns only when it is stopped, so every failure is the first of an outage.
    isNews: () => true,
  });
}
