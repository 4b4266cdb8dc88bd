import { setTimeout as sleep } from 'node:timers/promises';
import type { Outcome } from './outcome.ts';
import type { Answer, Poster } from './post.ts';
import type { Tally } from './tally.ts';

export interface DeliverOptions {
  /** Round-robin; a retry goes to the next one. */
  posters: Poster[];
  tally: Tally;
  /** Whether the route takes a list of readings. */
  asBatch: boolean;
  retry: boolean;
  giveUpAfterMs: number;
  /** Ends the waiting for a retry. A request that is under way is waited for. */
  stop: AbortSignal;
}

/** @returns the outcome of each reading */
export type Deliver = (readings: readonly string[]) => Promise<Outcome[]>;

/** Sends readings until they are acknowledged. To send the same reading again is always safe. */
export function createDeliver(options: DeliverOptions): Deliver {
  const { posters, tally, asBatch, retry, giveUpAfterMs, stop } = options;
  let turn = 0;
  return async (readings) => {
    const outcomes = readings.map((): Outcome => ({ outcome: 'acknowledged' }));
    const giveUpAt = performance.now() + giveUpAfterMs;
    let left = [...readings.keys()];
    const uncertain = new Set<number>();
    for (let attempt = 0; ; attempt += 1) {
      const started = performance.now();
      const poster = posters[turn++ % posters.length] as Poster;
      const bodies = left.map((place) => readings[place]);
      const answer = await poster.post(asBatch ? `[${bodies.join()}]` : bodies.join());
      tally.answered(answer, performance.now() - started);
      const errors = errorsOf(answer, left.length);
      const waitMs = waitBeforeRetry(answer, attempt);
      const canRetry = retry && !stop.aborted && performance.now() + waitMs <= giveUpAt;
      const again: number[] = [];
      for (const { index, code, retryable } of errors) {
        const place = left[index] as number;
        if (answer.errors === undefined ? mayBeStored(answer) : retryable) uncertain.add(place);
        outcomes[place] = { outcome: uncertain.has(place) ? 'unknown' : 'rejected', code };
        if (retryable && canRetry) again.push(place);
      }
      if (again.length === 0) return outcomes;
      await sleep(waitMs, undefined, { signal: stop }).catch(() => undefined);
      if (isAborted(stop)) return outcomes;
      for (const place of again) outcomes[place] = { outcome: 'acknowledged' };
      left = again;
    }
  };
}

/** What was not acknowledged: the readings that a batch lists, or all. */
function errorsOf(answer: Answer, count: number): NonNullable<Answer['errors']> {
  if (answer.errors !== undefined) return answer.errors;
  if (answer.status >= 200 && answer.status < 300) return [];
  const rejection = { code: answer.code, retryable: isRetryable(answer) };
  return Array.from({ length: count }, (_, index) => ({ index, ...rejection }));
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

/** At least Retry-After, and not all at the same moment. */
function waitBeforeRetry({ retryAfterMs }: Answer, attempt: number): number {
  const backoff = Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** Math.min(attempt, 10));
  return retryAfterMs + Math.random() * backoff;
}

function isAborted(signal: AbortSignal): boolean {
  return signal.aborted;
}
