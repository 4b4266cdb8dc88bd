import type { FastifyReply } from 'fastify';

/** Aborted when the connection ends before the answer does: nobody waits for it any more. */
export function clientLeft({ raw }: FastifyReply): AbortSignal {
  const left = new AbortController();
  // It may have left while somebody was asked who it is; `close` does not come again.
  if (raw.closed) left.abort();
  raw.once('close', () => {
    if (!raw.writableFinished) left.abort();
  });
  return left.signal;
}
