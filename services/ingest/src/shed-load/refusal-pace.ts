import type { Socket } from 'node:net';

const WINDOW_MS = 100;
/** Fewer than these for each reading pause nobody: a refusal is cheaper than a reading, but not free. */
const REFUSALS_PER_READING = 0.3;
const ALWAYS_ALLOWED = 20;
/** Below that the process has time to spare, and everybody is refused at once. */
const BUSY = 0.9;
const SHORTEST_MS = 10;
/** The longest Retry-After that is given: who ignores it waits for it on its own connection. */
const LONGEST_MS = 5_000;
const CALMING = 0.8;

export interface RefusalPaceOptions {
  /** The part of the time since the last call that the event loop worked, 0 to 1. */
  utilization: () => number;
}

/**
 * Keeps refusals from eating the time that the readings need.
 *
 * Reading and refusing a request costs time too, and clients that ignore Retry-After can ask for more of it than there is.
 * So a connection that comes back too early, and is refused again, is not read for a while: what it sends waits in the
 * kernel, and the client waits with it. Whoever does as Retry-After says is always answered at once.
 */
export interface RefusalPace {
  readonly pauseMs: number;
  acknowledged(socket: Socket): void;
  /** Call it when the refusal is out. */
  refused(socket: Socket, now: number): void;
  adapt(now: number): void;
}

/** The shortest Retry-After that is given. */
const EARLIEST_RETURN_MS = 1_000;
const REFUSED_AT = Symbol('when this connection was refused last');

interface RefusedSocket extends Socket {
  [REFUSED_AT]?: number;
}

export function createRefusalPace({ utilization }: RefusalPaceOptions): RefusalPace {
  let pauseMs = 0;
  let windowEnd = -Infinity;
  let readings = 0;
  let refusals = 0;

  return {
    get pauseMs() {
      return pauseMs;
    },
    acknowledged(socket: RefusedSocket) {
      readings++;
      // Behind a load balancer a connection brings many clients.
      if (socket[REFUSED_AT] !== undefined) socket[REFUSED_AT] = -Infinity;
    },
    refused(socket: RefusedSocket, now) {
      refusals++;
      const cameTooEarly = now - (socket[REFUSED_AT] ?? -Infinity) < EARLIEST_RETURN_MS;
      socket[REFUSED_AT] = now;
      if (pauseMs === 0 || !cameTooEarly || socket.destroyed) return;
      socket.pause();
      setTimeout(goOn, pauseMs, socket).unref();
    },
    adapt(now) {
      if (now < windowEnd) return;
      const allowed = Math.max(ALWAYS_ALLOWED, readings * REFUSALS_PER_READING);
      if (utilization() > BUSY && refusals > allowed) {
        pauseMs = Math.min(LONGEST_MS, Math.max(SHORTEST_MS, pauseMs * Math.min(2, refusals / allowed)));
      } else {
        pauseMs = pauseMs < SHORTEST_MS ? 0 : pauseMs * CALMING;
      }
      windowEnd = now + WINDOW_MS;
      readings = refusals = 0;
    },
  };
}

function goOn(socket: Socket): void {
  if (!socket.destroyed) socket.resume();
}
