import { STATUS_CODES } from 'node:http';
import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { TLSSocket } from 'node:tls';
import { onBrokenRequest } from '@cellarman/lifecycle';
import { servedOver } from '@cellarman/tls';
import type { ServerTls } from '@cellarman/tls';
import type { FastifyHttpOptions } from 'fastify';
import { ERROR_CATALOGUE } from '@cellarman/contracts';
import type { ErrorCode } from '@cellarman/contracts';
import { browserHeaders } from './protect-browsers.ts';

/** A client that takes nothing and sends nothing for so long is gone. Longer than any response of ours takes to begin. */
const SILENCE_MS = 60_000;

/** Bounds against slow clients and large requests. */
export function serverOptions({
  trustedProxies = [],
  tls,
  silenceMs = SILENCE_MS,
}: {
  trustedProxies?: string[];
  tls?: ServerTls | undefined;
  silenceMs?: number;
} = {}): FastifyHttpOptions<Server> {
  return {
    logger: false,
    trustProxy: trustedProxies.length > 0 ? trustedProxies : false,
    bodyLimit: 64 * 1_024,
    requestTimeout: 10_000,
    connectionTimeout: silenceMs,
    keepAliveTimeout: 72_000,
    // Connections that are still open while the process stops are served, with `Connection: close`.
    return503OnClosing: false,
    routerOptions: { maxParamLength: 256 },
    // What never becomes a request: bad HTTP, oversized headers, slow clients.
    clientErrorHandler: onBrokenRequest((socket, errorCode) => writeRefusal(socket, ...describe(errorCode))),
    ...servedOver(tls, {
      headersTimeout: 5_000,
      requestTimeout: 10_000,
      connectionsCheckingInterval: 500,
      // Hosts that differ must not look like one; refuse-odd-requests.ts looks.
      joinDuplicateHeaders: true,
      requireHostHeader: false,
    }),
  };
}

/** CONNECT, which Node would answer by closing. `Allow` is empty: no method reaches another host. */
export function refuseProxying(server: Server): void {
  server.on('connect', (_request, socket: Socket) =>
    writeRefusal(socket, 'method_not_allowed', 'This is not a proxy.', 'Allow: \r\n'),
  );
}

function writeRefusal(socket: Socket, code: ErrorCode, text: string, headers = ''): void {
  const { status } = ERROR_CATALOGUE[code];
  const body = JSON.stringify({ status: 'error', error: text, code });
  const protection = Object.entries(browserHeaders(socket instanceof TLSSocket));
  const fields = protection.map(([name, value]) => `${name}: ${value}\r\n`).join('');
  socket.end(
    `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}\r\nContent-Type: application/json; charset=utf-8\r\n${headers}` +
      `${fields}Content-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
    () => socket.destroy(),
  );
}

function describe(errorCode: string | undefined): [ErrorCode, string] {
  switch (errorCode ?? '') {
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return ['request_timeout', 'The request did not arrive in time.'];
    case 'HPE_HEADER_OVERFLOW':
      return ['headers_too_large', 'The headers are too large.'];
    case 'HPE_CHUNK_EXTENSIONS_OVERFLOW':
      return ['payload_too_large', 'The chunk extensions of the body are too large.'];
    default:
      return ['invalid_request', 'This is not a valid HTTP/1.1 request.'];
  }
}
