import type { FastifyReply } from 'fastify';
import { retryAfterSeconds } from '../http/answers.ts';
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

const JSON_TYPE = 'application/json; charset=utf-8';

const END = Buffer.from(']}');

export function createBatchAnswers(
  metrics: Pick<IngestMetrics, 'answered' | 'batch'>,
  yieldTurn: YieldTurn,
): BatchAnswers {
  /** Past Fastify, which has nothing to add. */
  function send(reply: FastifyReply, status: number, body: Buffer, retryAfter: string | undefined): void {
    const headers = ['content-type', JSON_TYPE, 'x-content-type-options', 'nosniff'];
    headers.push('content-length', String(body.length));
    if (retryAfter !== undefined) headers.push('retry-after', retryAfter);
    reply.hijack();
    reply.raw.writeHead(status, headers);
    reply.raw.end(body);
  }

  return {
    succeed(reply, accepted) {
      metrics.answered('success');
      metrics.batch(accepted, 0);
      send(reply, 200, Buffer.from(`{"status":"success","accepted":${accepted}}`, 'latin1'), undefined);
    },
    async list(reply, accepted, refused) {
      metrics.answered(accepted === 0 ? 'rejected' : 'partial');
      metrics.batch(accepted, refused.count);
      const figures = `"accepted":${accepted},"rejected":${refused.count}`;
      const start = Buffer.from(`{"status":"partial",${figures},"errors":[`, 'latin1');
      const body = Buffer.concat([start, ...(await refused.members(yieldTurn)), END]);
      send(reply, accepted === 0 ? 400 : 207, body, refused.isAnyRetryable ? retryAfterSeconds() : undefined);
    },
  };
}
