import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyReply } from 'fastify';

const WINDOW_MS = 100;
/** A flood is noticed this early: 100 ms of it would be 1 % of the requests of ten seconds, and double their p99. */
const SHORT_WINDOW_MS = 20;
/** Fewer rejections per accepted reading than this pause nobody: a rejection is cheaper than a reading, but not free. */
const REJECTIONS_PER_READING = 0.3;
const ALWAYS_ALLOWED = 20;
/** Below this event loop utilization nobody is paused: there is time to spare. */
const BUSY = 0.7;
const SHORTEST_MS = 10;
/** The first pause: long enough that a few connections that flood are held from the first window on. */
const FIRST_MS = 50;
/** Rejections fall as the pause grows, so their ratio to what is allowed is the right factor. The bound keeps it from overshooting. */
const MAX_GROWTH = 8;
/** The longest Retry-After of a 503. A client that ignores it waits that long on its own connection. */
const LONGEST_MS = 5_000;
const CALMING = 0.8;

export interface RejectionPaceOptions {
  /** The part of the time since the last call that the event loop worked, 0 to 1. */
  utilization: () => number;
}

/**
 * Keeps rejections (429 and 503) from taking the time that accepted readings need.
 *
 * Reading and rejecting a request costs CPU time, and a client that ignores Retry-After can send as fast as the responses
 * arrive. While the process is busy, a connection that is rejected twice within a second is not read for a while: what it sends
 * waits in the kernel. A client that honors Retry-After always gets its response immediately.
 */
export interface RejectionPace {
  readonly pauseMs: number;
  acknowledged(socket: Socket): void;
  /** Calls `rejected` when the rejection has been sent or the client is gone. */
  follow(reply: FastifyReply): void;
  rejected(socket: Socket, now: number): void;
  adapt(now: number): void;
}

/** The shortest Retry-After. */
const EARLIEST_RETURN_MS = 1_000;
const REJECTED_AT = Symbol('time of the last rejection on this connection');

interface RejectedSocket extends Socket {
  [REJECTED_AT]?: number;
}

export function createRejectionPace({ utilization }: RejectionPaceOptions): RejectionPace {
  let pauseMs = 0;
  let windowStart = -Infinity;
  let readings = 0;
  let rejections = 0;

  // One function for all responses; `close` is emitted exactly once, also when the client goes away.
  function onClose(this: ServerResponse): void {
    const now = performance.now();
    pace.rejected(this.req.socket, now);
    pace.adapt(now);
  }

  const pace: RejectionPace = {
    get pauseMs() {
      return pauseMs;
    },
    acknowledged(socket: RejectedSocket) {
      readings++;
      // Behind a load balancer a connection brings many clients.
      if (socket[REJECTED_AT] !== undefined) socket[REJECTED_AT] = -Infinity;
    },
    follow(reply) {
      reply.raw.on('close', onClose);
    },
    rejected(socket: RejectedSocket, now) {
      rejections++;
      const cameTooEarly = now - (socket[REJECTED_AT] ?? -Infinity) < EARLIEST_RETURN_MS;
      socket[REJECTED_AT] = now;
      if (pauseMs === 0 || !cameTooEarly || socket.destroyed) return;
      // Not before Node has discarded the rest of the rejected body, because that resumes the socket.
      setImmediate(pause, socket, pauseMs);
    },
    adapt(now) {
      const elapsedMs = now - windowStart;
      if (elapsedMs < SHORT_WINDOW_MS) return;
      const allowed = Math.max(ALWAYS_ALLOWED, readings * REJECTIONS_PER_READING);
      if (elapsedMs < WINDOW_MS && (pauseMs > 0 || rejections <= allowed)) return;
      const isBusy = utilization() > BUSY;
      if (pauseMs > 0 || (isBusy && rejections > allowed)) {
        // Once it has begun, the pause follows the rejections and not the utilization, which it lowers itself: otherwise
        // the flood would come back in waves.
        pauseMs =
          pauseMs === 0 ? FIRST_MS : pauseMs * Math.min(MAX_GROWTH, Math.max(CALMING, rejections / allowed));
        pauseMs = pauseMs < SHORTEST_MS ? 0 : Math.min(LONGEST_MS, pauseMs);
      }
      windowStart = now;
      readings = rejections = 0;
    },
  };
  return pace;
}

function pause(socket: Socket, milliseconds: number): void {
  if (socket.destroyed) return;
  socket.pause();
  setTimeout(goOn, milliseconds, socket).unref();
}

function goOn(socket: Socket): void {
  if (!socket.destroyed) socket.resume();
}
