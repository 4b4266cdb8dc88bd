import { STATUS_CODES } from 'node:http';
import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { TLSSocket } from 'node:tls';
import { ERROR_CATALOGUE } from '@cellarman/contracts';
import type { ErrorCode } from '@cellarman/contracts';
import { onBrokenRequest } from '@cellarman/lifecycle';
import { browserHeaders } from './protect-browsers.ts';

export interface RawErrorOptions {
  /** Called with the code of each error. */
  onError?: (code: ErrorCode) => void;
  /** @default browserHeaders */
  headersOf?: (socket: Socket) => Record<string, string>;
}

/** Returns a `clientErrorHandler` of Node for what never becomes a request: malformed HTTP, oversized headers, slow clients. */
export function createClientErrorHandler(options: RawErrorOptions = {}) {
  return onBrokenRequest((socket, errorCode) => {
    const [code, message] = describe(errorCode);
    options.onError?.(code);
    write(socket, code, message, options);
  });
}

/** Rejects CONNECT; Node would close the connection. `Allow` is empty: no method reaches another host. */
export function rejectConnect(server: Server, options: RawErrorOptions = {}): void {
  server.on('connect', (_request, socket: Socket) => {
    const headersOf = (its: Socket) => ({ allow: '', ...(options.headersOf ?? headersFor)(its) });
    write(socket, 'method_not_allowed', 'Method not allowed: this server is not a proxy', { headersOf });
  });
}

function write(
  socket: Socket,
  code: ErrorCode,
  error: string,
  { headersOf = headersFor }: RawErrorOptions,
): void {
  const { status } = ERROR_CATALOGUE[code];
  const body = JSON.stringify({ status: 'error', error, code });
  const headers = Object.entries({
    'content-type': 'application/json; charset=utf-8',
    ...headersOf(socket),
    'content-length': Buffer.byteLength(body),
    connection: 'close',
  }).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}\r\n${headers.join('')}\r\n${body}`, () =>
    socket.destroy(),
  );
}

function headersFor(socket: Socket): Record<string, string> {
  return browserHeaders(socket instanceof TLSSocket);
}

function describe(errorCode: string | undefined): [ErrorCode, string] {
  switch (errorCode ?? '') {
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return ['request_timeout', 'The request did not arrive in time'];
    case 'HPE_HEADER_OVERFLOW':
      return ['headers_too_large', 'The request headers are too large'];
    case 'HPE_CHUNK_EXTENSIONS_OVERFLOW':
      return ['payload_too_large', 'The chunk extensions of the request body are too large'];
    default:
      return ['invalid_request', 'Invalid HTTP/1.1 request'];
  }
}
