import type { ServerResponse } from 'node:http';
import type { FastifyReply } from 'fastify';

export interface StreamLimits {
  /** Of the whole response. */
  maxMs: number;
  /** What a client must take while there is something to take, averaged over `windowMs`. */
  minBytesPerSecond: number;
  windowMs: number;
}

const CHECK_MS = 1_000;

/**
 * Cuts off a response that is sent piece by piece when it takes too long, or when its client reads too slowly. Without it, a
 * client that stops reading holds what the response needs for as long as it likes. Node's own time-out sees no client that
 * reads a byte now and then.
 *
 * @param onCut called with the reason, after the connection was destroyed
 */
export function boundStream(
  { raw }: FastifyReply,
  limits: StreamLimits,
  onCut: (reason: string) => void,
): void {
  const { maxMs, minBytesPerSecond, windowMs } = limits;
  const begunAt = performance.now();
  let window = { begunAt, bytes: bytesTaken(raw) };

  function check(): void {
    const now = performance.now();
    const bytes = bytesTaken(raw);
    if (now - begunAt >= maxMs) {
      cut(`it was not sent within ${maxMs / 1_000} s`);
    } else if (raw.writableLength === 0) {
      // The client has taken all that there is.
      window = { begunAt: now, bytes };
    } else if (now - window.begunAt >= windowMs) {
      const rate = ((bytes - window.bytes) * 1_000) / (now - window.begunAt);
      if (rate < minBytesPerSecond) cut(`its client reads less than ${minBytesPerSecond} bytes per second`);
      else window = { begunAt: now, bytes };
    }
  }

  function cut(reason: string): void {
    raw.destroy();
    onCut(reason);
  }

  const timer = setInterval(check, Math.min(CHECK_MS, windowMs / 4));
  timer.unref();
  raw.once('close', () => clearInterval(timer));
}

/** What has left for the client. A piece counts when all of it has. */
function bytesTaken({ socket }: ServerResponse): number {
  return socket === null ? 0 : socket.bytesWritten - socket.writableLength;
}
