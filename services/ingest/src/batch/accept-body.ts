import { BATCH_ENCODINGS } from '@cellarman/contracts';
import type { BatchEncoding } from '@cellarman/contracts';
import { batchEncodingOf } from '@cellarman/http-api';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Responses } from '../http/responses.ts';

export interface IncomingBody {
  encoding: BatchEncoding | undefined;
  /** As `Content-Length` says, compressed; undefined when it is sent in chunks. */
  length: number | undefined;
}

/** Returns what the headers say about a body of many readings, or responds with 415 or 413. */
export function acceptBody(
  request: FastifyRequest,
  reply: FastifyReply,
  { responses, maxBytes }: { responses: Responses; maxBytes: number },
): IncomingBody | undefined {
  const { headers } = request.raw;
  const encoding = batchEncodingOf(headers['content-encoding']);
  if (encoding === null) {
    const names = BATCH_ENCODINGS.join(', ');
    // RFC 9110, 12.5.3: this is how a client learns what it may send.
    reply.header('accept-encoding', names);
    const text = `Content-Encoding must be one of ${names}, or absent`;
    responses.rejectAndClose(reply, 'unsupported_media_type', text);
    return undefined;
  }
  const length = headers['content-length'] === undefined ? undefined : Number(headers['content-length']);
  if (length !== undefined && length > maxBytes) {
    responses.rejectAndClose(reply, 'payload_too_large', `The body must have at most ${maxBytes} bytes`);
    return undefined;
  }
  return { encoding, length };
}
