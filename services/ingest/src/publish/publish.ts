import { messageKey } from '@cellarman/contracts';
import type { IngestStored } from '@cellarman/contracts';
import { PublishError } from '@cellarman/kafka';
import type { Lanes } from '@cellarman/kafka';
import { writeLine } from '@cellarman/reading';
import type { Logger } from '@cellarman/telemetry';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { parsePrefer } from '../http/prefer.ts';
import type { Responses } from '../http/responses.ts';
import type { KnownKey } from '../key-cache/known-key.ts';
import type { DescribeStored } from './describe-stored.ts';
import { messageHeaders } from './message-headers.ts';
import type { IngestMetrics } from '../metrics.ts';
import type { ScannedReading } from '../scan/scan-state.ts';
import type { ServerClock } from '../server-clock.ts';
import type { StartTrace } from '../trace.ts';

export interface PublishOptions {
  responses: Responses;
  lanes: Pick<Lanes, 'publish'>;
  clock: ServerClock;
  describeStored: DescribeStored;
  startTrace: StartTrace;
  metrics: Pick<IngestMetrics, 'acknowledged'>;
  logger: Logger;
}

/** Step 4: hands the reading to Kafka, and says "success" only when all in-sync replicas have it. */
export function createPublish(options: PublishOptions) {
  const { responses, lanes, clock, describeStored, startTrace, metrics, logger } = options;

  function fail(reply: FastifyReply, error: unknown): void {
    // libs/kafka logs that Kafka is unreachable, not every request.
    if (!(error instanceof PublishError) || error.code === 'failed') {
      logger.error({ err: error }, 'Kafka rejected a reading permanently');
    }
    responses.rejectForNow(reply, 'Kafka has not acknowledged the reading; sending it again is safe');
  }

  return function publish(request: FastifyRequest, reply: FastifyReply): void {
    const reading = request.reading as ScannedReading;
    const { record } = request.apiKey as KnownKey;
    const receivedAt = clock.iso(request.receivedMs);
    const trace = startTrace(request.raw.headers, request.receivedMs);
    const key = messageKey(reading.cellar, reading.rack);
    const value = writeLine(request.body as Buffer, reading, receivedAt, record.id);

    let stored: IngestStored | undefined;
    // Devices do not send it, and cost nothing here.
    const { prefer } = request.raw.headers;
    const onStored =
      prefer !== undefined && parsePrefer(prefer).has('return=representation')
        ? (partition: number, offset: number | undefined) => {
            stored = describeStored(partition, offset, clock.now() - request.receivedMs);
          }
        : undefined;

    lanes.publish(key, value, messageHeaders(trace), onStored).then(
      () => {
        trace?.end();
        metrics.acknowledged(clock.now() - request.receivedMs, trace?.context);
        responses.succeed(reply, receivedAt, stored);
      },
      (error: unknown) => {
        trace?.end(error);
        fail(reply, error);
      },
    );
  };
}
