import { setTimeout as sleep } from 'node:timers/promises';
import type { Outcome } from './outcome.ts';
import type { Answer, Poster } from './post.ts';
import type { Tally } from './tally.ts';

export interface DeliverOptions {
  /** In turn; a retry goes to the next one. */
  posters: Poster[];
  tally: Tally;
  retry: boolean;
  giveUpAfterMs: number;
  /** Ends the waiting for a retry. A request that is under way is waited for. */
  stop: AbortSignal;
}

export type Deliver = (body: string) => Promise<Outcome>;

/** Sends a reading until it is acknowledged. To send the same reading again is always safe. */
export function createDeliver({ posters, tally, retry, giveUpAfterMs, stop }: DeliverOptions): Deliver {
  let turn = 0;
  return async (body) => {
    const giveUpAt = performance.now() + giveUpAfterMs;
    let maybeStored = false;
    for (let attempt = 0; ; attempt += 1) {
      const started = performance.now();
      const poster = posters[turn++ % posters.length] as Poster;
      const answer = await poster.post(body);
      tally.answered(answer, performance.now() - started);
      if (isAcknowledged(answer)) return { outcome: 'acknowledged' };
      maybeStored ||= mayBeStored(answer);
      const waitMs = waitBeforeRetry(answer, attempt);
      const isLast = !retry || !isRetryable(answer) || stop.aborted || performance.now() + waitMs > giveUpAt;
      if (!isLast) await sleep(waitMs, undefined, { signal: stop }).catch(() => undefined);
      if (isLast || isAborted(stop)) {
        return { outcome: maybeStored ? 'unknown' : 'refused', code: answer.code };
      }
    }
  };
}

function isAcknowledged({ status }: Answer): boolean {
  return status >= 200 && status < 300;
}

function isRetryable({ status }: Answer): boolean {
  return status === 0 || status === 408 || status === 429 || status >= 500;
}

/** A server that could not be reached has stored nothing; a 503 may be stored after all. */
function mayBeStored({ status, code }: Answer): boolean {
  return (status === 0 && code !== 'ECONNREFUSED') || status >= 500;
}

const FIRST_WAIT_MS = 50;
const LONGEST_WAIT_MS = 2_000;

/** At least what Retry-After asks for, and not all at the same moment. */
function waitBeforeRetry({ retryAfterMs }: Answer, attempt: number): number {
  const backoff = Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** Math.min(attempt, 10));
  return retryAfterMs + Math.random() * backoff;
}

function isAborted(signal: AbortSignal): boolean {
  return signal.aborted;
}
