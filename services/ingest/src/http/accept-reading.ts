import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Answers } from './answers.ts';

/** 415 and 413: what the headers alone say about the body. */
export function createAcceptReading({ answers, maxBodyBytes }: { answers: Answers; maxBodyBytes: number }) {
  return function acceptReading(request: FastifyRequest, reply: FastifyReply, done: () => void): void {
    const { headers } = request.raw;
    const type = headers['content-type'];
    if (type !== 'application/json' && !isJson(type)) {
      answers.refuseAndClose(reply, 'unsupported_media_type', 'Content-Type must be application/json');
      return;
    }
    const encoding = headers['content-encoding'];
    if (encoding !== undefined && encoding.toLowerCase() !== 'identity') {
      answers.refuseAndClose(
        reply,
        'unsupported_media_type',
        'A single reading must be sent without Content-Encoding',
      );
      return;
    }
    const length = headers['content-length'];
    if (length !== undefined && Number(length) > maxBodyBytes) {
      answers.refuseAndClose(reply, 'payload_too_large', `The body must have at most ${maxBodyBytes} bytes`);
      return;
    }
    done();
  };
}

/** `application/json` with any parameters, but no other character set than UTF-8: bytes would be misread. */
function isJson(type: string | undefined): boolean {
  if (type === undefined) return false;
  const [mediaType = '', ...parameters] = type.toLowerCase().split(';');
  if (mediaType.trim() !== 'application/json') return false;
  return parameters.every((parameter) => {
    const [name = '', value = ''] = parameter.split('=', 2);
    return name.trim() !== 'charset' || ['utf-8', '"utf-8"', 'utf8'].includes(value.trim());
  });
}
