import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

const ENDED = Symbol('the last request of this connection has come');

interface MarkedSocket extends Socket {
  [ENDED]?: true;
}

/** A name or an address, and a port. Repeated fields come joined by a comma, see `joinDuplicateHeaders` of Node. */
const ONE_HOST = /^[A-Za-z0-9._~%!$&'()*+;=:[\]-]*$/;

/** For an answer that closes the connection: what the client has pipelined behind it must not be carried out. */
export function endRequests(socket: Socket): void {
  (socket as MarkedSocket)[ENDED] = true;
}

/**
 * What is odd about a request that Node takes: a proxy in front could have read it otherwise, and then one of both sees a
 * request where the other sees none. Call it for each request before anything else, and answer with 400 and a close.
 *
 * @returns a sentence for people, or undefined
 */
export function oddityOf(request: IncomingMessage, response: ServerResponse): string | undefined {
  const socket = request.socket as MarkedSocket;
  const oddity = socket[ENDED] === true ? 'The connection is about to close' : findOddity(request);
  if (oddity !== undefined) {
    endRequests(socket);
  } else if (request.headers.upgrade !== undefined) {
    // We take no other protocol, which is fine. But Node 24 throws away what came in one piece with the request, so the
    // next that it reads could be the middle of something.
    endRequests(socket);
    response.shouldKeepAlive = false;
  }
  return oddity;
}

function findOddity({ headers, httpVersion, url }: IncomingMessage): string | undefined {
  // HTTP/0.9 has no headers, and HTTP/2 another form: both are only here in the words of HTTP/1.1.
  if (httpVersion !== '1.1' && httpVersion !== '1.0') return 'This service speaks HTTP/1.1';

  const coding = headers['transfer-encoding'];
  if (coding !== undefined && (httpVersion === '1.0' || coding.toLowerCase() !== 'chunked')) {
    return 'Transfer-Encoding must be chunked, and needs HTTP/1.1';
  }
  const { host } = headers;
  if (host === undefined && httpVersion === '1.1') return 'The header Host is required';
  if (host !== undefined && !ONE_HOST.test(host)) return 'The header Host must name one host';
  return url?.includes('#') === true ? 'The address must not have a fragment' : undefined;
}
