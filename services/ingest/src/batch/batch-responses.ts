import type { FastifyReply } from 'fastify';
import { retryAfterSeconds } from '../http/responses.ts';
import type { Outcome } from '../http/responses.ts';
import { sendPastFastify } from '../http/send-past-fastify.ts';
import type { IngestMetrics } from '../metrics.ts';
import { parsePrefer } from '../http/prefer.ts';
import type { Preference } from '../http/prefer.ts';
import type { RejectedReadings } from './scan/rejected-readings.ts';
import type { YieldToEventLoop } from './yield-to-event-loop.ts';

/** The responses that only batches have. Rejections of a whole batch are those of a single reading. */
export interface BatchResponses {
  /** 200: all readings are stored. */
  succeed(reply: FastifyReply, accepted: number, batch: BatchOutcome): void;
  /** Lists the readings that are not stored. `responseFor` has the status. */
  list(reply: FastifyReply, accepted: number, rejected: RejectedReadings, batch: BatchOutcome): Promise<void>;
}

export interface BatchOutcome {
  /** ISO 8601 with milliseconds, the same as in the topic. */
  receivedAt: string;
  /** Of the rate limit: name, value, name, value. */
  headers: readonly string[];
}

const END = Buffer.from(']}');

export function createBatchResponses(
  metrics: Pick<IngestMetrics, 'responded' | 'batch'>,
  yieldToEventLoop: YieldToEventLoop,
): BatchResponses {
  return {
    succeed(reply, accepted, { receivedAt, headers }) {
      metrics.responded('success');
      metrics.batch(accepted, 0);
      const body = `{"status":"success","accepted":${accepted},"timestamp":"${receivedAt}"}`;
      sendPastFastify(reply, 200, body, headers);
    },
    async list(reply, accepted, rejected, { receivedAt, headers }) {
      const prefer = parsePrefer(reply.request.raw.headers.prefer);
      const { status, outcome, applied } = responseFor(accepted, rejected.isAnyRetryable, prefer);
      metrics.responded(outcome);
      metrics.batch(accepted, rejected.count);
      const figures = `"accepted":${accepted},"rejected":${rejected.count},"timestamp":"${receivedAt}"`;
      const start = Buffer.from(`{"status":"partial",${figures},"errors":[`, 'latin1');
      const body = Buffer.concat([start, ...(await rejected.members(yieldToEventLoop)), END]);
      sendPastFastify(reply, status, body, [
        ...headers,
        ...(rejected.isAnyRetryable ? ['retry-after', retryAfterSeconds()] : []),
        ...(applied === undefined ? [] : ['preference-applied', applied]),
      ]);
    },
  };
}

interface PartialResponse {
  status: number;
  outcome: Outcome;
  applied?: Preference;
}

/**
 * Most HTTP clients take every 2xx for "all stored", so the default is a 2xx only if a retry would store nothing more. Clients
 * that read `errors` can request another status.
 */
function responseFor(
  accepted: number,
  isAnyRetryable: boolean,
  prefer: ReadonlySet<Preference>,
): PartialResponse {
  if (isAnyRetryable) {
    if (!prefer.has('return=representation')) return { status: 503, outcome: 'unavailable' };
    return { status: 207, outcome: 'partial', applied: 'return=representation' };
  }
  if (accepted === 0) return { status: 400, outcome: 'rejected' };
  if (!prefer.has('handling=lenient')) return { status: 207, outcome: 'partial' };
  return { status: 200, outcome: 'partial', applied: 'handling=lenient' };
}
