import type { IncomingMessage, OutgoingMessage } from 'node:http';
import type { Socket } from 'node:net';

const TOO_SLOW = 'ERR_HTTP_REQUEST_TIMEOUT';

interface HttpSocket extends Socket {
  /** The answer whose turn it is. */
  _httpMessage?: (OutgoingMessage & { req: IncomingMessage }) | null;
}

/**
 * Node finds all clients that are too slow at the same moment. Cutting thousands of them at once would keep everybody else
 * waiting for a tenth of a second, so requests are served between so many of them.
 */
const CUT_IN_A_TURN = 4;

/**
 * A `clientErrorHandler` of Node: answers once on the bare socket for what never becomes a request, in turn.
 *
 * @param write gets the code of the error, and ends the socket
 */
export function onBrokenRequest(write: (socket: Socket, errorCode: string | undefined) => void) {
  const broken = new WeakSet<Socket>();
  const slow: Socket[] = [];

  function cutSlow(): void {
    for (const socket of slow.splice(0, CUT_IN_A_TURN)) {
      answerInTurn(socket, () => write(socket, TOO_SLOW));
    }
    if (slow.length > 0) setImmediate(cutSlow);
  }

  return function answerBrokenRequest(error: NodeJS.ErrnoException, socket: Socket): void {
    // Nothing can be said to somebody who cannot be spoken to in TLS.
    if (error.code === 'ECONNRESET' || /^ERR_(SSL|TLS)_/.test(error.code ?? '')) {
      socket.destroy();
      return;
    }
    // Whatever comes after the break is told too.
    if (broken.has(socket)) return;
    broken.add(socket);
    if (error.code === TOO_SLOW) {
      if (slow.push(socket) === 1) setImmediate(cutSlow);
      return;
    }
    answerInTurn(socket, () => write(socket, error.code));
  };
}

/**
 * What is written past Node must come after the answers to the requests before.
 * A client that pipelines would else take "this is no HTTP" for the answer to its last good request.
 *
 * @param write called when no whole request is without its answer, unless the answer to the broken one has begun
 */
function answerInTurn(socket: HttpSocket, write: () => void): void {
  const current = socket._httpMessage;
  if (current?.req.complete === true && !current.writableFinished) {
    current.once('close', () => answerInTurn(socket, write));
  } else if (!socket.writable || current?.headersSent === true) {
    socket.destroy();
  } else {
    write();
  }
}
