import type { ServerResponse } from 'node:http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { ByteBudget } from './byte-budget.ts';
import type { Answers } from './http/answers.ts';

export interface ShedLoadOptions {
  answers: Answers;
  maxInFlight: number;
  /** What all bodies share. */
  bodies: ByteBudget;
  maxBodyBytes: number;
}

const RESERVED = Symbol('bytes reserved for the body of this request');

interface CountedResponse extends ServerResponse {
  [RESERVED]?: number;
}

/**
 * Bounds the requests between their headers and the end of their answer, and the memory of their bodies. When Kafka stalls
 * they pile up; then a new one is refused before its body is read, which costs next to nothing.
 */
export function createShedLoad({ answers, maxInFlight, bodies, maxBodyBytes }: ShedLoadOptions) {
  let inFlight = 0;
  // One function for all responses; `close` comes exactly once, also when the client goes away.
  function leave(this: CountedResponse): void {
    inFlight--;
    bodies.release(this[RESERVED] ?? 0);
  }

  function shedLoad(request: FastifyRequest, reply: FastifyReply, done: () => void): void {
    // Without a length it may become as large as a body may be.
    const bytes = Number(request.raw.headers['content-length'] ?? maxBodyBytes);
    if (inFlight >= maxInFlight || !bodies.reserve(bytes)) {
      answers.refuseForNow(reply, 'Too many readings wait for Kafka; send this one again');
      return;
    }
    inFlight++;
    (reply.raw as CountedResponse)[RESERVED] = bytes;
    reply.raw.on('close', leave);
    done();
  }

  return { shedLoad, inFlight: () => inFlight };
}
