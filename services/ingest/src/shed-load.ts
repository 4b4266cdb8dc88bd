import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Answers } from './http/answers.ts';

/**
 * Bounds the requests between their headers and the end of their answer. When Kafka stalls they pile up; then a new one is
 * refused before its body is read, which costs next to nothing.
 */
export function createShedLoad({ answers, maxInFlight }: { answers: Answers; maxInFlight: number }) {
  let inFlight = 0;
  // One function for all responses; `close` comes exactly once, also when the client goes away.
  const leave = () => {
    inFlight--;
  };

  function shedLoad(_request: FastifyRequest, reply: FastifyReply, done: () => void): void {
    if (inFlight >= maxInFlight) {
      answers.refuseForNow(reply, 'Too many readings wait for Kafka; send this one again');
      return;
    }
    inFlight++;
    reply.raw.on('close', leave);
    done();
  }

  return { shedLoad, inFlight: () => inFlight };
}
