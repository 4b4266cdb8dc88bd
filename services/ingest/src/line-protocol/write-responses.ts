import type { BatchResponses } from '../batch/batch-responses.ts';
import type { RejectedReadings } from '../batch/scan/rejected-readings.ts';
import type { YieldToEventLoop } from '../batch/yield-to-event-loop.ts';
import { parsePrefer } from '../http/prefer.ts';
import { sendPartlyUnavailable, writeErrorBody } from '../http/responses.ts';
import { sendPastFastify } from '../http/send-past-fastify.ts';
import type { IngestMetrics } from '../metrics.ts';

/** The responses of InfluxDB's write API: 204 only if everything is stored, or a retry would store nothing more. */
export function createWriteResponses(
  metrics: Pick<IngestMetrics, 'responded' | 'batch'>,
  yieldToEventLoop: YieldToEventLoop,
): BatchResponses {
  return {
    succeed(reply, accepted, { headers }) {
      metrics.responded('success');
      metrics.batch(accepted, 0);
      sendPastFastify(reply, 204, '', headers);
    },
    async list(reply, accepted, rejected, { receivedAt, headers }) {
      metrics.batch(accepted, rejected.count);
      if (rejected.isAnyRetryable) {
        metrics.responded('unavailable');
        sendPartlyUnavailable(reply, accepted, headers);
        return;
      }
      const isLenient = parsePrefer(reply.request.raw.headers.prefer).has('handling=lenient');
      metrics.responded(accepted === 0 ? 'rejected' : 'partial');
      if (isLenient && accepted > 0) {
        sendPastFastify(reply, 204, '', [...headers, 'preference-applied', 'handling=lenient']);
        return;
      }
      const { code, message } = summary(accepted, rejected);
      const figures = `"accepted":${accepted},"rejected":${rejected.count},"timestamp":"${receivedAt}"`;
      const start = `${writeErrorBody(code, message).slice(0, -1)},${figures},"errors":[`;
      const members = await rejected.members(yieldToEventLoop);
      sendPastFastify(
        reply,
        400,
        Buffer.concat([Buffer.from(start), ...members, Buffer.from(']}')]),
        headers,
      );
    },
  };
}

/** What clients log: they know nothing of `errors`. */
function summary(accepted: number, { count, first }: RejectedReadings) {
  const { index = 0, code = 'invalid_reading', error = '' } = first ?? {};
  const figures = `${accepted} of ${accepted + count} readings are stored`;
  return { code, message: `${figures}; line ${index + 1}: ${error}` } as const;
}
