import type { ClickHouse } from '@cellarman/clickhouse';
import { createKafkaConsumer } from '@cellarman/kafka';
import type { KafkaConnection, ProducerPort } from '@cellarman/kafka';
import type { Readiness } from '@cellarman/lifecycle';
import type { Telemetry } from '@cellarman/telemetry';
import type { Config } from './config.ts';
import { consume } from './consume/consume.ts';
import type { Consumption } from './consume/consume.ts';
import { createDeadLetterPublisher } from './dead-letter/publish-dead-letters.ts';
import { createLineBuffers } from './batch/line-buffers.ts';
import type { SinkMetrics } from './metrics.ts';
import { oldestAgeSeconds } from './batch/oldest-age.ts';
import { createPipeline } from './consume/pipeline.ts';
import { createWaitingReport } from './store/report-waiting.ts';
import { createStreak } from './batch/bad-row-streak.ts';
import { createBatchStore } from './store/store-batch.ts';
import { traceBatches } from './store/trace-batch.ts';

export interface ConsumptionOptions {
  config: Config;
  connection: KafkaConnection;
  /** For the dead letters. */
  producer: ProducerPort;
  clickhouse: ClickHouse;
  readiness: Readiness;
  telemetry: Telemetry;
  metrics: SinkMetrics;
}

/** Under load an insert of this long is large enough. */
const BUSY_INTERVAL_MS = 150;

/** While a backlog is read, nobody looks at single readings: an insert waits so long to become a full one. */
const BACKLOG_INTERVAL_MS = 1_000;

/** In memory a fetch response becomes five times as large; larger ones do not make reading faster. */
const FETCH_LIMITS = { maxBytes: 2 * 1024 * 1024, maxBytesPerPartition: 512 * 1024 };

/** The order of the steps is here and nowhere else: consume → gather a batch → insert → dead letters → commit. */
export async function startConsumption(options: ConsumptionOptions): Promise<Consumption> {
  const { config, connection, producer, clickhouse, readiness, telemetry, metrics } = options;
  const { logger } = telemetry;
  const waiting = createWaitingReport({ readiness, metrics, logger });
  const storeBatch = createBatchStore({
    clickhouse,
    publishDeadLetters: createDeadLetterPublisher({
      producer,
      topic: config.DEAD_LETTER_TOPIC,
      origin: config.READINGS_TOPIC,
    }),
    streak: createStreak(config.MAX_BAD_ROWS_IN_A_ROW),
    onWaiting: waiting.onWaiting,
    onStored(batch, stored, seconds) {
      waiting.onStored();
      const ageSeconds = oldestAgeSeconds(batch.firstLines, Date.now());
      metrics.stored({ rows: stored.rows, bytes: batch.byteLength, seconds, ageSeconds });
      if (stored.deadLetters === 0) return;
      metrics.deadLetters(stored.deadLetters);
      logger.warn(
        { count: stored.deadLetters, first: stored.firstReason },
        'wrote messages to the dead-letter topic',
      );
    },
  });
  const store = traceBatches(telemetry.tracer, storeBatch);

  const buffers = createLineBuffers(config.INSERTS_IN_FLIGHT + 1);
  return consume({
    createConsumer: (handler) =>
      createKafkaConsumer({
        connection,
        topic: config.READINGS_TOPIC,
        groupId: config.CONSUMER_GROUP,
        handler,
        limits: FETCH_LIMITS,
      }),
    createPipeline: (steps) =>
      createPipeline({
        limits: {
          maxRows: config.BATCH_MAX_ROWS,
          maxBytes: config.BATCH_MAX_BYTES,
          minIntervalMs: Math.min(config.BATCH_MAX_WAIT_MS, BUSY_INTERVAL_MS),
          maxIntervalMs: config.BATCH_MAX_WAIT_MS,
          backlogIntervalMs: Math.max(config.BATCH_MAX_WAIT_MS, BACKLOG_INTERVAL_MS),
          maxInFlight: config.INSERTS_IN_FLIGHT,
        },
        buffers,
        store,
        ...steps,
        streak: createStreak(config.MAX_BAD_ROWS_IN_A_ROW),
      }),
    logger,
    onAssigned: () => readiness.set('kafka', true),
    onFatal(error) {
      readiness.set('schema', false, error instanceof Error ? error.message : String(error));
      logger.fatal(
        { err: error },
        'readings cannot be stored and retrying does not help: the sink has stopped consuming',
      );
    },
  });
}
