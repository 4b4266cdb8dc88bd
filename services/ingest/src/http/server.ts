import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { rejectConnect } from '@cellarman/http-api';
import { servedOver } from '@cellarman/tls';
import type { ServerTls } from '@cellarman/tls';
import type { FastifyHttpOptions } from 'fastify';
import type { Config } from '../config.ts';

/** How often Node looks for connections that are too slow; those that it finds together are cut together. */
const TIMEOUT_CHECK_MS = 100;
/** A connection without a byte in either direction for this time is dead. Longer than any response takes. */
const SILENCE_MS = 120_000;

type ServerConfig = Pick<
  Config,
  | 'HEADERS_TIMEOUT_MS'
  | 'REQUEST_TIMEOUT_MS'
  | 'KEEP_ALIVE_TIMEOUT_MS'
  | 'MAX_HEADER_BYTES'
  | 'MAX_BODY_BYTES'
>;

/** Bounds against slow and greedy clients, per connection. Node checks them in C++, without a timer per request. */
export function serverOptions(config: ServerConfig, tls?: ServerTls): FastifyHttpOptions<Server> {
  const headersTimeout = Math.min(config.HEADERS_TIMEOUT_MS, config.REQUEST_TIMEOUT_MS);
  return {
    logger: false,
    // Without request logs nobody reads the ids.
    genReqId: () => '',
    bodyLimit: config.MAX_BODY_BYTES,
    requestTimeout: config.REQUEST_TIMEOUT_MS,
    keepAliveTimeout: config.KEEP_ALIVE_TIMEOUT_MS,
    connectionTimeout: SILENCE_MS,
    // Connections that are still open while the process stops are served, with `Connection: close`.
    return503OnClosing: false,
    ...servedOver(tls, {
      headersTimeout,
      requestTimeout: config.REQUEST_TIMEOUT_MS,
      connectionsCheckingInterval: TIMEOUT_CHECK_MS,
      maxHeaderSize: config.MAX_HEADER_BYTES,
      // Hosts and content types that differ must not look like one.
      joinDuplicateHeaders: true,
      requireHostHeader: false,
    }),
  };
}

/** The headers of responses on the bare socket. No browser sends readings. */
export function rawHeaders(): Record<string, string> {
  return { 'x-content-type-options': 'nosniff' };
}

/** Handles what Node would respond to by itself, in another shape or not at all. */
export function completeServer(server: Server, { maxConnections }: { maxConnections: number }): void {
  server.maxConnections = maxConnections;

  const serve = (request: IncomingMessage, response: ServerResponse) =>
    server.emit('request', request, response);
  server.on('checkContinue', (request, response) => {
    // A request that is rejected by its headers gets its response instead of `100 Continue`.
    request.once('resume', () => {
      // After a response Node resumes the body too, to discard it.
      if (!response.headersSent) response.writeContinue();
    });
    serve(request, response);
  });
  // Other expectations may be ignored (RFC 9110, 10.1.1).
  server.on('checkExpectation', serve);
  rejectConnect(server, { headersOf: rawHeaders });
}
