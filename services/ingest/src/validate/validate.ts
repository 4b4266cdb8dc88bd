import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Responses } from '../http/responses.ts';
import type { CheckReading } from './check-reading.ts';
import type { KnownKey } from '../key-cache/known-key.ts';
import { scanReading } from '../scan/scan-reading.ts';
import type { ScannedReading } from '../scan/scan-state.ts';
import type { ServerClock } from '../server-clock.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Set by `validate`. */
    reading: ScannedReading | null;
    /** When the request was validated, in milliseconds since 1970: `received_at`. Set by `validate`. */
    receivedMs: number;
  }
}

const EMPTY = Buffer.alloc(0);

export interface ValidateOptions {
  responses: Responses;
  clock: ServerClock;
  checkReading: CheckReading;
}

/** Step 3: whether the bytes are a reading, and one that this key may send. */
export function createValidate({ responses, clock, checkReading }: ValidateOptions) {
  return function validate(request: FastifyRequest, reply: FastifyReply, done: () => void): void {
    const key = request.apiKey as KnownKey;
    const reading = scanReading((request.body as Buffer | undefined) ?? EMPTY);
    if (!reading.ok) {
      responses.reject(reply, reading.code, reading.error);
      return;
    }
    const now = clock.now();
    const problem = checkReading(reading, key, now);
    if (problem !== undefined) {
      responses.reject(reply, problem.code, problem.error, reading.rack);
      return;
    }
    request.reading = reading;
    request.receivedMs = now;
    done();
  };
}
