import { DEFAULT_LINE_PROTOCOL_KEG } from '@cellarman/contracts';
import type { ErrorCode } from '@cellarman/contracts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { acceptBody } from '../batch/accept-body.ts';
import type { BatchResponses } from '../batch/batch-responses.ts';
import type { Responses } from '../http/responses.ts';
import type { KnownKey } from '../key-cache/known-key.ts';
import { compileKegRule } from './keg-rule.ts';
import { readLineProtocol } from './read-line-protocol.ts';
import type { Query } from './take-token.ts';
import { PRECISIONS } from './to-timestamp.ts';

export interface AcceptWriteOptions {
  responses: Responses;
  writeResponses: BatchResponses;
  maxBytes: number;
}

/**
 * 400, 403, 413 and 415: what the path and headers alone say. The content type is ignored: many clients send that of a form.
 *
 * @param bucketName the parameter that names the cellar
 */
export function createAcceptWrite(options: AcceptWriteOptions) {
  const { responses, writeResponses } = options;
  return (bucketName: 'bucket' | 'db') =>
    function acceptWrite(request: FastifyRequest, reply: FastifyReply, done: () => void): void {
      const {
        cellar,
        rack,
        lineProtocolKeg = DEFAULT_LINE_PROTOCOL_KEG,
      } = (request.apiKey as KnownKey).record;
      const query = request.query as Query;
      const bucket = query[bucketName];
      const fractionDigits = PRECISIONS.get(String(query['precision'] ?? 'ns'));
      const reject = (code: ErrorCode, text: string) =>
        responses.rejectAndClose(reply, code, `The parameter ${text}`);
      if (typeof bucket !== 'string' || bucket === '') {
        reject('invalid_request', `${bucketName} must name the cellar`);
      } else if (bucket !== cellar) {
        reject('cellar_mismatch', `${bucketName} must be the cellar of the API key`);
      } else if (fractionDigits === undefined) {
        reject('invalid_request', 'precision must be ns, us, ms or s');
      } else {
        const body = acceptBody(request, reply, options);
        if (body === undefined) return;
        const kegRule = compileKegRule(lineProtocolKeg);
        request.batch = {
          ...body,
          read: (bytes) => readLineProtocol(bytes, { cellar, rack, kegRule, fractionDigits }),
          responses: writeResponses,
        };
        done();
      }
    };
}
