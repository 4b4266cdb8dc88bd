import { BATCH_PATH } from '@cellarman/contracts';
import { mediaTypeOf } from '@cellarman/http-api';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Responses } from './responses.ts';

/** 415 and 413: what the headers alone say about the body. */
export function createAcceptReading({
  responses,
  maxBodyBytes,
}: {
  responses: Responses;
  maxBodyBytes: number;
}) {
  return function acceptReading(request: FastifyRequest, reply: FastifyReply, done: () => void): void {
    const { headers } = request.raw;
    const type = headers['content-type'];
    if (type !== 'application/json' && mediaTypeOf(type) !== 'application/json') {
      responses.rejectAndClose(reply, 'unsupported_media_type', 'Content-Type must be application/json');
      return;
    }
    const encoding = headers['content-encoding'];
    if (encoding !== undefined && encoding.toLowerCase() !== 'identity') {
      responses.rejectAndClose(
        reply,
        'unsupported_media_type',
        'A single reading must be sent without Content-Encoding',
      );
      return;
    }
    const length = headers['content-length'];
    if (length !== undefined && Number(length) > maxBodyBytes) {
      responses.rejectAndClose(reply, 'payload_too_large', readingTooLarge(maxBodyBytes));
      return;
    }
    done();
  };
}

/** A body that is too large for a reading is often a list of them. */
export function readingTooLarge(maxBodyBytes: number): string {
  return `A reading must have at most ${maxBodyBytes} bytes. Send batches to ${BATCH_PATH}`;
}
