import type { IncomingMessage, OutgoingMessage } from 'node:http';
import type { Socket } from 'node:net';

const TOO_SLOW = 'ERR_HTTP_REQUEST_TIMEOUT';

interface HttpSocket extends Socket {
  /** The response that is sent next. */
  _httpMessage?: (OutgoingMessage & { req: IncomingMessage }) | null;
}

/**
 * Node finds all clients that are too slow at the same moment. Cutting thousands of them together would keep all other clients
 * waiting for a tenth of a second, so requests are served after each group of this size.
 */
const MOST_CUT_PER_TICK = 4;

/**
 * A `clientErrorHandler` of Node: responds once on the bare socket to input that is not a request, in order.
 *
 * @param write gets the code of the error, and ends the socket
 */
export function onBrokenRequest(write: (socket: Socket, errorCode: string | undefined) => void) {
  const broken = new WeakSet<Socket>();
  const slow: Socket[] = [];

  function cutSlow(): void {
    for (const socket of slow.splice(0, MOST_CUT_PER_TICK)) {
      respondInTurn(socket, () => write(socket, TOO_SLOW));
    }
    if (slow.length > 0) setImmediate(cutSlow);
  }

  return function respondToBrokenRequest(error: NodeJS.ErrnoException, socket: Socket): void {
    // A client without a TLS connection cannot receive a response.
    if (error.code === 'ECONNRESET' || /^ERR_(SSL|TLS)_/.test(error.code ?? '')) {
      socket.destroy();
      return;
    }
    // Input after the malformed part is reported too.
    if (broken.has(socket)) return;
    broken.add(socket);
    if (error.code === TOO_SLOW) {
      if (slow.push(socket) === 1) setImmediate(cutSlow);
      return;
    }
    respondInTurn(socket, () => write(socket, error.code));
  };
}

/**
 * What is written past Node must come after the responses to the requests before.
 * A client that pipelines would else take "this is no HTTP" for the response to its last good request.
 *
 * @param write called when every complete request has its response, unless the response to the malformed one has begun
 */
function respondInTurn(socket: HttpSocket, write: () => void): void {
  const current = socket._httpMessage;
  if (current?.req.complete === true && !current.writableFinished) {
    current.once('close', () => respondInTurn(socket, write));
  } else if (!socket.writable || current?.headersSent === true) {
    socket.destroy();
  } else {
    write();
  }
}
