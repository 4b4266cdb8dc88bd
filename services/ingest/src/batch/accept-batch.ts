import { NDJSON_TYPES } from '@cellarman/contracts';
import { mediaTypeOf } from '@cellarman/http-api';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Responses } from '../http/responses.ts';
import { acceptBody } from './accept-body.ts';
import type { IncomingBody } from './accept-body.ts';
import type { BatchResponses } from './batch-responses.ts';
import type { BatchReader } from './scan/batch-reader.ts';
import { readArray } from './scan/read-array.ts';
import { readLines } from './scan/read-lines.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Set by `acceptBatch` and `acceptWrite`. */
    batch: IncomingBatch | null;
  }
}

/** What differs between the formats of a batch. */
export interface IncomingBatch extends IncomingBody {
  read: (body: Buffer, maxReadingBytes: number) => BatchReader;
  responses: BatchResponses;
}

export interface AcceptBatchOptions {
  responses: Responses;
  batchResponses: BatchResponses;
  maxBytes: number;
}

/** 415 and 413: what the headers alone say about the body. */
export function createAcceptBatch(options: AcceptBatchOptions) {
  return function acceptBatch(request: FastifyRequest, reply: FastifyReply, done: () => void): void {
    const read = readerOf(request.raw.headers['content-type']);
    if (read === undefined) {
      const text = `Content-Type must be application/json for an array, or ${NDJSON_TYPES[0]}`;
      options.responses.rejectAndClose(reply, 'unsupported_media_type', text);
      return;
    }
    const body = acceptBody(request, reply, options);
    if (body === undefined) return;
    request.batch = { ...body, read, responses: options.batchResponses };
    done();
  };
}

function readerOf(contentType: string | undefined): IncomingBatch['read'] | undefined {
  const mediaType = mediaTypeOf(contentType);
  if (mediaType === 'application/json') return readArray;
  return NDJSON_TYPES.some((type) => type === mediaType) ? readLines : undefined;
}
