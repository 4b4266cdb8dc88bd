import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Answers } from './http/answers.ts';
import type { KnownKey } from './key-cache/known-key.ts';
import { scanReading } from './scan-reading.ts';
import type { ScannedReading } from './scan-reading.ts';
import type { ServerClock } from './server-clock.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Set by `validate`. */
    reading: ScannedReading | null;
    /** When the request was judged, in milliseconds since 1970: `received_at`. Set by `validate`. */
    receivedMs: number;
  }
}

const EMPTY = Buffer.alloc(0);
const MS_PER_DAY = 86_400_000;

export interface ValidateOptions {
  answers: Answers;
  clock: ServerClock;
  maxClockSkewMs: number;
}

/** Step 3: whether the bytes are a reading, and one that this key may send. */
export function createValidate({ answers, clock, maxClockSkewMs }: ValidateOptions) {
  return function validate(request: FastifyRequest, reply: FastifyReply, done: () => void): void {
    const key = request.apiKey as KnownKey;
    const reading = scanReading((request.body as Buffer | undefined) ?? EMPTY);
    if (!reading.ok) {
      answers.refuse(reply, reading.code, reading.error);
      return;
    }
    const now = clock.now();
    const problem = timestampProblem(reading.timestampMs, now, key.retentionMs, maxClockSkewMs);
    if (problem !== undefined) {
      const text = `"timestamp" ${problem}; the time of the server is ${clock.iso(now)}`;
      answers.refuse(reply, 'timestamp_out_of_range', text);
      return;
    }
    const missing = missingRight(reading, key);
    if (missing !== undefined) {
      answers.refuse(reply, missing, RIGHTS[missing]);
      return;
    }
    request.reading = reading;
    request.receivedMs = now;
    done();
  };
}

function timestampProblem(
  timestampMs: number,
  now: number,
  retentionMs: number,
  maxClockSkewMs: number,
): string | undefined {
  if (timestampMs > now + maxClockSkewMs)
    return `is more than ${maxClockSkewMs / 1_000} seconds in the future`;
  if (timestampMs < now - retentionMs) {
    return `is older than the ${retentionMs / MS_PER_DAY} days for which the cellar keeps readings`;
  }
  return undefined;
}

/** The names are not repeated: they are the client's text, and terminals and logs show it. */
const RIGHTS = {
  cellar_mismatch: 'The API key belongs to another cellar',
  rack_mismatch: 'The API key is restricted to another rack or rack prefix',
  insufficient_scope: 'The API key lacks the scope "ingest"',
} as const;

function missingRight({ cellar, rack }: ScannedReading, key: KnownKey): keyof typeof RIGHTS | undefined {
  const { record } = key;
  if (cellar !== record.cellar) return 'cellar_mismatch';
  if (record.rack !== null && rack !== record.rack) return 'rack_mismatch';
  if (record.rackPrefix !== null && !rack.startsWith(record.rackPrefix)) return 'rack_mismatch';
  return key.mayIngest ? undefined : 'insufficient_scope';
}
