import { STATUS_CODES } from 'node:http';
import { ERROR_CATALOGUE } from '@cellarman/contracts';
import type { ErrorCode } from '@cellarman/contracts';
import { onBrokenRequest } from '@cellarman/lifecycle';
import { errorBody } from './answers.ts';

/** Answers on the bare socket for what never becomes a request: bad HTTP, oversized headers, slow clients. */
export function answerBrokenRequests(count: (code: ErrorCode) => void) {
  return onBrokenRequest((socket, errorCode) => {
    const [code, text] = BROKEN[errorCode ?? ''] ?? NOT_HTTP;
    count(code);
    socket.end(rawAnswer(code, text), () => socket.destroy());
  });
}

export function rawAnswer(code: ErrorCode, text: string, headers = ''): string {
  const { status } = ERROR_CATALOGUE[code];
  const body = errorBody(code, text);
  return (
    `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}\r\n` +
    'Content-Type: application/json; charset=utf-8\r\nX-Content-Type-Options: nosniff\r\n' +
    `Content-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n${headers}\r\n${body}`
  );
}

const BROKEN: Record<string, [ErrorCode, string]> = {
  ERR_HTTP_REQUEST_TIMEOUT: ['request_timeout', 'The request did not arrive in time'],
  HPE_HEADER_OVERFLOW: ['headers_too_large', 'The headers are too large'],
  HPE_CHUNK_EXTENSIONS_OVERFLOW: ['payload_too_large', 'The chunk extensions of the body are too large'],
};
const NOT_HTTP: [ErrorCode, string] = ['invalid_request', 'This is not a valid HTTP/1.1 request'];
