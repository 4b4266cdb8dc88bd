import { mediaTypeOf } from '@cellarman/http-api';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { acceptBody } from '../batch/accept-body.ts';
import type { BatchResponses } from '../batch/batch-responses.ts';
import type { Responses } from '../http/responses.ts';
import type { KnownKey } from '../key-cache/known-key.ts';
import { PROTOBUF_TYPE } from '../http/otlp-protocol.ts';
import { readMetrics } from './read-metrics.ts';

export interface AcceptMetricsOptions {
  responses: Responses;
  metricsResponses: BatchResponses;
  maxBytes: number;
}

/** 413 and 415: what the headers alone say about the body. */
export function createAcceptMetrics(options: AcceptMetricsOptions) {
  return function acceptMetrics(request: FastifyRequest, reply: FastifyReply, done: () => void): void {
    const type = mediaTypeOf(request.raw.headers['content-type']);
    const isJson = type === 'application/json';
    if (!isJson && type !== PROTOBUF_TYPE) {
      const text = `Content-Type must be ${PROTOBUF_TYPE} or application/json`;
      options.responses.rejectAndClose(reply, 'unsupported_media_type', text);
      return;
    }
    const body = acceptBody(request, reply, options);
    if (body === undefined) return;
    const { cellar, rack } = (request.apiKey as KnownKey).record;
    request.batch = {
      ...body,
      read: (bytes) => readMetrics(bytes, { cellar, rack, isJson }),
      responses: options.metricsResponses,
    };
    done();
  };
}
