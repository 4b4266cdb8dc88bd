import type { FastifyReply } from 'fastify';

/** Returns a signal that aborts when the client disconnects before the response is complete. */
export function abortOnDisconnect({ raw }: FastifyReply): AbortSignal {
  const disconnected = new AbortController();
  // It may have disconnected while the request was authenticated; `close` is not emitted again.
  if (raw.closed) disconnected.abort();
  raw.once('close', () => {
    if (!raw.writableFinished) disconnected.abort();
  });
  return disconnected.signal;
}
