import { ApiError } from '@cellarman/http-api';
import type { FastifyReply } from 'fastify';

/** For how long a response goes on while key-service cannot be reached. A restart takes less. */
const UNCONFIRMED_MS = 30_000;

/**
 * Cuts off a response whose reader may no longer read: a download can outlive its key or its session.
 *
 * @param authorize rejects when the reader may not read
 * @param onCut called with what it rejected with, after the connection was destroyed
 */
export function keepAuthorized(
  { raw }: FastifyReply,
  authorize: () => Promise<unknown>,
  { everyMs, onCut }: { everyMs: number; onCut: (error: unknown) => void },
): void {
  let confirmedAt = performance.now();
  let timer: NodeJS.Timeout;

  async function confirm(): Promise<void> {
    try {
      await authorize();
      confirmedAt = performance.now();
    } catch (error) {
      const isUnknown = error instanceof ApiError && error.code === 'unavailable';
      if (!isUnknown || performance.now() - confirmedAt > UNCONFIRMED_MS) {
        raw.destroy();
        onCut(error);
        return;
      }
    }
    schedule();
  }

  function schedule(): void {
    if (raw.closed) return;
    timer = setTimeout(() => void confirm(), everyMs);
    timer.unref();
  }

  raw.once('close', () => clearTimeout(timer));
  schedule();
}
