import type { IncomingMessage, OutgoingMessage } from 'node:http';
import type { Socket } from 'node:net';

interface HttpSocket extends Socket {
  /** The answer whose turn it is. */
  _httpMessage?: (OutgoingMessage & { req: IncomingMessage }) | null;
}

/**
 * For a `clientErrorHandler`, which writes past Node: what it writes must come after the answers to the requests before.
 * A client that pipelines would else take "this is no HTTP" for the answer to its last good request.
 *
 * @param write called when no whole request is without its answer, unless the answer to the broken one has begun
 */
export function answerInTurn(socket: HttpSocket, write: () => void): void {
  const current = socket._httpMessage;
  if (current?.req.complete === true && !current.writableFinished) {
    current.once('close', () => answerInTurn(socket, write));
  } else if (!socket.writable || current?.headersSent === true) {
    socket.destroy();
  } else {
    write();
  }
}
