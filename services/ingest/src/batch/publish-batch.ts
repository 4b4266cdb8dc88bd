import { CONTENT_TYPE, SCHEMA_VERSION, TOPIC_HEADERS } from '@cellarman/contracts';
import type { Lanes } from '@cellarman/kafka';
import type { Logger } from '@cellarman/telemetry';
import type { FastifyRequest } from 'fastify';
import type { IngestMetrics } from '../metrics.ts';
import type { ServerClock } from '../server-clock.ts';
import type { StartTrace } from '../trace.ts';
import type { RefusedReadings } from './refused-readings.ts';
import type { ScannedBatch } from './scan-batch.ts';

const HEADERS = { [TOPIC_HEADERS.contentType]: CONTENT_TYPE, [TOPIC_HEADERS.schemaVersion]: SCHEMA_VERSION };

export interface PublishBatchOptions {
  lanes: Pick<Lanes, 'publishGroup'>;
  clock: ServerClock;
  startTrace: StartTrace;
  metrics: Pick<IngestMetrics, 'acknowledged'>;
  logger: Logger;
}

/**
 * Hands the good readings to Kafka, adds those that it did not acknowledge to the refused, and answers how many all in-sync
 * replicas have.
 */
export type PublishBatch = (
  request: FastifyRequest,
  batch: ScannedBatch,
  receivedMs: number,
  refused: RefusedReadings,
) => Promise<number>;

export function createPublishBatch(options: PublishBatchOptions): PublishBatch {
  const { lanes, clock, startTrace, metrics, logger } = options;

  return async (request, { messages, indexes }, receivedMs, refused) => {
    const trace = startTrace(request.raw.headers.traceparent, receivedMs, 'ingest batch');
    const headers =
      trace === undefined ? HEADERS : { ...HEADERS, [TOPIC_HEADERS.traceparent]: trace.traceparent };
    const { acknowledged, failures } = await lanes.publishGroup(messages, headers);
    const [first] = failures.values();
    trace?.end(first);
    if (acknowledged > 0) metrics.acknowledged(clock.now() - receivedMs);
    // That Kafka is away is told by libs/kafka, not once per request.
    if (first?.code === 'failed') logger.error({ err: first }, 'Kafka refused a reading for good');
    if (acknowledged === 0) return 0;
    for (const place of failures.keys()) {
      const text = 'Kafka has not acknowledged the reading; sending it again is safe';
      refused.add(indexes[place] as number, 'unavailable', text);
    }
    return acknowledged;
  };
}
