import { endRequests } from '@cellarman/lifecycle';
import type { FastifyReply } from 'fastify';

/** How long the rest of a rejected body may still come. */
const LINGER_MS = 1_000;

/**
 * Closes the connection after the response, and discards for a moment what the client still sends. Closing a socket with unread
 * data resets it, and a client that is still sending would see the reset instead of the response.
 */
export function closeAfterResponse({ request, raw: response }: FastifyReply): void {
  response.shouldKeepAlive = false;
  const { socket } = request.raw;
  endRequests(socket);
  const close = socket.destroySoon.bind(socket);
  // Node calls this when the response is sent and the connection is to be closed.
  socket.destroySoon = () => {
    if (request.raw.complete) {
      close();
      return;
    }
    socket.end();
    request.raw.once('end', close);
    const timer = setTimeout(close, LINGER_MS);
    socket.once('close', () => clearTimeout(timer));
  };
}
