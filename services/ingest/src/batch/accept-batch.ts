import { BATCH_ENCODINGS, NDJSON_TYPES } from '@cellarman/contracts';
import type { BatchEncoding } from '@cellarman/contracts';
import { batchEncodingOf, mediaTypeOf } from '@cellarman/http-api';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Responses } from '../http/responses.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Set by `acceptBatch`. */
    batch: IncomingBatch | null;
  }
}

export interface IncomingBatch {
  format: 'array' | 'lines';
  encoding: BatchEncoding | undefined;
  /** As `Content-Length` says, compressed; undefined when it is sent in chunks. */
  length: number | undefined;
}

/** 415 and 413: what the headers alone say about the body. */
export function createAcceptBatch({ responses, maxBytes }: { responses: Responses; maxBytes: number }) {
  return function acceptBatch(request: FastifyRequest, reply: FastifyReply, done: () => void): void {
    const { headers } = request.raw;
    const format = formatOf(headers['content-type']);
    if (format === undefined) {
      const text = `Content-Type must be application/json for an array, or ${NDJSON_TYPES[0]}`;
      responses.rejectAndClose(reply, 'unsupported_media_type', text);
      return;
    }
    const encoding = batchEncodingOf(headers['content-encoding']);
    if (encoding === null) {
      const names = BATCH_ENCODINGS.join(', ');
      // RFC 9110, 12.5.3: this is how a client learns what it may send.
      reply.header('accept-encoding', names);
      const text = `Content-Encoding must be one of ${names}, or absent`;
      responses.rejectAndClose(reply, 'unsupported_media_type', text);
      return;
    }
    const length = headers['content-length'] === undefined ? undefined : Number(headers['content-length']);
    if (length !== undefined && length > maxBytes) {
      responses.rejectAndClose(reply, 'payload_too_large', `The body must have at most ${maxBytes} bytes`);
      return;
    }
    request.batch = { format, encoding, length };
    done();
  };
}

function formatOf(contentType: string | undefined): IncomingBatch['format'] | undefined {
  const mediaType = mediaTypeOf(contentType);
  if (mediaType === 'application/json') return 'array';
  return NDJSON_TYPES.some((type) => type === mediaType) ? 'lines' : undefined;
}
