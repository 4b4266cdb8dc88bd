import type { Lanes } from '@cellarman/kafka';
import type { Logger } from '@cellarman/telemetry';
import type { IngestMetrics } from '../metrics.ts';
import type { ServerClock } from '../server-clock.ts';
import type { ReadingTrace } from '../trace.ts';
import type { RejectedReadings } from './scan/rejected-readings.ts';
import type { ScannedBatch } from './scan/scan-batch.ts';
import type { YieldToEventLoop } from './yield-to-event-loop.ts';

/** Failures that are recorded before it yields to the event loop. */
const SLICE = 1_000;

export interface PublishBatchOptions {
  lanes: Pick<Lanes, 'publishGroup'>;
  clock: ServerClock;
  yieldToEventLoop: YieldToEventLoop;
  metrics: Pick<IngestMetrics, 'acknowledged'>;
  logger: Logger;
}

/**
 * Publishes the valid readings to Kafka, adds those without an acknowledgement to the rejected readings, and returns how many
 * were acknowledged by all in-sync replicas.
 */
export type PublishBatch = (
  batch: ScannedBatch,
  trace: ReadingTrace | undefined,
  receivedMs: number,
  rejected: RejectedReadings,
) => Promise<number>;

export function createPublishBatch(options: PublishBatchOptions): PublishBatch {
  const { lanes, clock, yieldToEventLoop, metrics, logger } = options;

  return async ({ messages, indexes }, trace, receivedMs, rejected) => {
    const { acknowledged, failures } = await lanes.publishGroup(messages, yieldToEventLoop);
    const [first] = failures.values();
    trace?.end(first);
    if (acknowledged > 0) metrics.acknowledged(clock.now() - receivedMs, trace?.context, acknowledged);
    // libs/kafka logs that Kafka is unreachable, not every request.
    if (first?.code === 'failed') logger.error({ err: first }, 'Kafka rejected a reading permanently');
    if (acknowledged === 0) return 0;
    let slice = 0;
    for (const place of failures.keys()) {
      if (++slice % SLICE === 0) await yieldToEventLoop();
      const text = 'Kafka has not acknowledged the reading; sending it again is safe';
      rejected.add(indexes[place] as number, 'unavailable', text);
    }
    return acknowledged;
  };
}
