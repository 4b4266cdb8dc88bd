import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { Server } from 'node:http';
import type { FastifyHttpOptions } from 'fastify';
import { ERROR_CATALOGUE } from '@cellarman/contracts';
import type { ErrorCode } from '@cellarman/contracts';

/** Bounds against slow clients and large requests. */
export function serverOptions({ trustedProxies }: { trustedProxies: string[] }): FastifyHttpOptions<Server> {
  return {
    logger: false,
    trustProxy: trustedProxies.length > 0 ? trustedProxies : false,
    bodyLimit: 64 * 1_024,
    requestTimeout: 10_000,
    keepAliveTimeout: 72_000,
    // Connections that are still open while the process stops are served, with `Connection: close`.
    return503OnClosing: false,
    routerOptions: { maxParamLength: 256 },
    clientErrorHandler: answerBrokenRequest,
    http: { headersTimeout: 5_000, requestTimeout: 10_000, connectionsCheckingInterval: 500 },
  };
}

/** What never becomes a request: bad HTTP, oversized headers, slow clients. */
function answerBrokenRequest(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const [code, text] = describe(error.code);
  const { status } = ERROR_CATALOGUE[code];
  const body = JSON.stringify({ status: 'error', error: text, code });
  socket.end(
    `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}\r\nContent-Type: application/json; charset=utf-8\r\n` +
      `X-Content-Type-Options: nosniff\r\nContent-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
    () => socket.destroy(),
  );
}

function describe(errorCode: string | undefined): [ErrorCode, string] {
  switch (errorCode ?? '') {
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return ['request_timeout', 'The request did not arrive in time.'];
    case 'HPE_HEADER_OVERFLOW':
      return ['headers_too_large', 'The headers are too large.'];
    default:
      return ['invalid_request', 'This is not a valid HTTP/1.1 request.'];
  }
}
