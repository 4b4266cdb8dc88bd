import type { FastifyReply } from 'fastify';
import { retryAfterSeconds } from '../http/answers.ts';
import { sendPastFastify } from '../http/send-past-fastify.ts';
import type { IngestMetrics } from '../metrics.ts';
import type { RefusedReadings } from './refused-readings.ts';
import type { YieldTurn } from './turns.ts';

/** The answers that only batches have. Refusals of a whole batch are those of a single reading. */
export interface BatchAnswers {
  /** 200: all are stored. */
  succeed(reply: FastifyReply, accepted: number): void;
  /** 207 where some are stored, 400 where none could be. */
  list(reply: FastifyReply, accepted: number, refused: RefusedReadings): Promise<void>;
}

const END = Buffer.from(']}');

export function createBatchAnswers(
  metrics: Pick<IngestMetrics, 'answered' | 'batch'>,
  yieldTurn: YieldTurn,
): BatchAnswers {
  return {
    succeed(reply, accepted) {
      metrics.answered('success');
      metrics.batch(accepted, 0);
      sendPastFastify(reply, 200, `{"status":"success","accepted":${accepted}}`);
    },
    async list(reply, accepted, refused) {
      metrics.answered(accepted === 0 ? 'rejected' : 'partial');
      metrics.batch(accepted, refused.count);
      const figures = `"accepted":${accepted},"rejected":${refused.count}`;
      const start = Buffer.from(`{"status":"partial",${figures},"errors":[`, 'latin1');
      const body = Buffer.concat([start, ...(await refused.members(yieldTurn)), END]);
      const retryAfter = refused.isAnyRetryable ? ['retry-after', retryAfterSeconds()] : [];
      sendPastFastify(reply, accepted === 0 ? 400 : 207, body, retryAfter);
    },
  };
}
