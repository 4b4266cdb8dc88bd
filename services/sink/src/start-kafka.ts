import { createTopicAdmin } from '@cellarman/kafka';
import type { KafkaConnection } from '@cellarman/kafka';
import type { Readiness } from '@cellarman/lifecycle';
import type { Logger } from '@cellarman/telemetry';
import type { MigrateConfig } from './config.ts';
import { checkTopics, WeakTopic } from './migrate/migrate-topics.ts';
import { retryUntilDone } from '@cellarman/concurrency';

/**
 * Waits for Kafka and for the topics, which an operator may make later, then checks that they are safe.
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
  const admin = createTopicAdmin(connection);
  await retryUntilDone(() => checkTopics(admin, config), {
    isFinal: (error) => error instanceof WeakTopic,
    onRetry(error, attempt) {
      readiness.set('kafka', false, error instanceof Error ? error.message : String(error));
      if (attempt === 1) logger.warn({ err: error }, 'Kafka or a topic is unavailable, retrying');
    },
  });
}
