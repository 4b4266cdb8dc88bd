import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

const ENDED = Symbol('no further request of this connection is served');

interface MarkedSocket extends Socket {
  [ENDED]?: true;
}

/** A host name or an IP address, and a port. Repeated fields come joined by a comma, see `joinDuplicateHeaders` of Node. */
const ONE_HOST = /^[A-Za-z0-9._~%!$&'()*+;=:[\]-]*$/;

/** For a response that closes the connection: what the client has pipelined behind it must not be carried out. */
export function endRequests(socket: Socket): void {
  (socket as MarkedSocket)[ENDED] = true;
}

/**
 * Returns what is ambiguous about a request that Node accepts, as a message for people, or undefined. A proxy in front could
 * parse such a request differently, and then one of the two sees a request where the other sees none (request smuggling).
 * Call it for each request before anything else, and respond with 400 and a close.
 */
export function findAmbiguity(request: IncomingMessage, response: ServerResponse): string | undefined {
  const socket = request.socket as MarkedSocket;
  const ambiguity = socket[ENDED] === true ? 'The connection is about to close' : describe(request);
  if (ambiguity !== undefined) {
    endRequests(socket);
  } else if (request.headers.upgrade !== undefined) {
    // We support no other protocol and may ignore this. But Node 24 drops what arrived in one piece with the request, so the
    // next that it parses could be the middle of something.
    endRequests(socket);
    response.shouldKeepAlive = false;
  }
  return ambiguity;
}

function describe({ headers, httpVersion, url }: IncomingMessage): string | undefined {
  // HTTP/0.9 has no headers, and HTTP/2 another framing: both are only here in the syntax of HTTP/1.1.
  if (httpVersion !== '1.1' && httpVersion !== '1.0') return 'Unsupported HTTP version. Use HTTP/1.1';

  const coding = headers['transfer-encoding'];
  if (coding !== undefined && (httpVersion === '1.0' || coding.toLowerCase() !== 'chunked')) {
    return 'Transfer-Encoding must be chunked, over HTTP/1.1';
  }
  const { host } = headers;
  if (host === undefined && httpVersion === '1.1') return 'The Host header is required';
  if (host !== undefined && !ONE_HOST.test(host)) return 'The Host header must name one host';
  return url?.includes('#') === true ? 'The request path must not contain a fragment' : undefined;
}
