import { createLimiter } from '@cellarman/concurrency';
import type { LimitedRequest, Limiter } from '@cellarman/concurrency';
import { ApiError } from '@cellarman/http-api';

export interface SlotLimits {
  /** Queries that run at a time. Streams get half of them at most. */
  running: number;
  /** Of them, those of one reader. Its streams get half of that at most. */
  runningPerReader: number;
  /** Queries that may wait. A page sends several short ones concurrently. One reader gets at most half of this queue. */
  waiting: number;
  waitMs: number;
}

/** The owner is the reader. */
export interface SlotRequest extends LimitedRequest {
  /** A response that is sent row by row holds its slot as long as ClickHouse has rows to send. */
  isStream: boolean;
}

/** Bounds the queries that run, fairly between readers. Others wait a little, and all beyond are rejected as `unavailable`. */
export type Slots = Limiter<SlotRequest>;

export function createSlots({ running, runningPerReader, waiting, waitMs }: SlotLimits): Slots {
  return createLimiter<SlotRequest>({
    ...{
      running,
      runningPerOwner: runningPerReader,
      waiting,
      waitingPerOwner: Math.ceil(waiting / 2),
      waitMs,
    },
    admits({ owner, isStream }, held) {
      const streams = isStream ? [...held].filter((slot) => slot.isStream) : [];
      const own = streams.filter((slot) => slot.owner === owner);
      return streams.length < half(running) && own.length < half(runningPerReader);
    },
    full: () => new ApiError('unavailable', 'Too many concurrent queries. Try again.'),
  });
}

/** Rounded down, but never none. */
function half(count: number): number {
  return Math.max(1, Math.floor(count / 2));
}
