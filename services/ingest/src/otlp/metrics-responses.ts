import type { BatchResponses } from '../batch/batch-responses.ts';
import { sendPartlyUnavailable } from '../http/responses.ts';
import { sendPastFastify } from '../http/send-past-fastify.ts';
import type { IngestMetrics } from '../metrics.ts';
import { formatOf, writeResponse } from '../http/otlp-protocol.ts';

/** The responses of OTLP: 200 with a partial success if a retry would store nothing more. */
export function createMetricsResponses(metrics: Pick<IngestMetrics, 'responded' | 'batch'>): BatchResponses {
  return {
    succeed(reply, accepted, { headers }) {
      metrics.responded('success');
      metrics.batch(accepted, 0);
      const { isJson, type } = formatOf(reply);
      sendPastFastify(reply, 200, writeResponse(isJson), headers, type);
    },
    list(reply, accepted, rejected, { headers }) {
      metrics.batch(accepted, rejected.count);
      if (rejected.isAnyRetryable) {
        metrics.responded('unavailable');
        sendPartlyUnavailable(reply, accepted, headers);
        return Promise.resolve();
      }
      metrics.responded(accepted === 0 ? 'rejected' : 'partial');
      const { isJson, type } = formatOf(reply);
      const { count, first } = rejected;
      const body = writeResponse(isJson, { count, message: first?.error ?? '' });
      sendPastFastify(reply, 200, body, headers, type);
      return Promise.resolve();
    },
  };
}
