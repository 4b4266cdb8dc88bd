import type { KafkaConnection } from '@cellarman/kafka';
import type { Readiness } from '@cellarman/lifecycle';
import type { Logger } from '@cellarman/telemetry';
import type { MigrateConfig } from './config.ts';
import { checkTopics, WeakTopic } from './migrate/migrate-topics.ts';
import { retryUntilDone } from './retry.ts';

/**
 * Waits for Kafka, then checks that the topics are there and safe.
 *
 * @throws {WeakTopic} when waiting does not help
 */
export async function startKafka(options: {
  connection: KafkaConnection;
  config: MigrateConfig;
  readiness: Readiness;
  logger: Logger;
}): Promise<void> {
  const { connection, config, readiness, logger } = options;
  await retryUntilDone(() => checkTopics(connection, config), {
    isFinal: (error) => error instanceof WeakTopic,
    onRetry(error, attempt) {
      readiness.set('kafka', false, error instanceof Error ? error.message : String(error));
      if (attempt === 1) logger.warn({ err: error }, 'Kafka does not answer, the sink waits for it');
    },
  });
}
