import { setTimeout as sleep } from 'node:timers/promises';

const FIRST_WAIT_MS = 100;
const LONGEST_WAIT_MS = 5_000;

/** At least the Retry-After, plus a random backoff that grows with each attempt. */
export function waitBeforeRetry(retryAfter: string | null, attempt: number): number {
  const backoff = Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** Math.min(attempt, 10));
  return retryAfterMs(retryAfter) + Math.random() * backoff;
}

/** RFC 9110: seconds, or a date. */
function retryAfterMs(text: string | null): number {
  if (text === null) return 0;
  const ms = /^\d+$/.test(text) ? Number(text) * 1_000 : Date.parse(text) - Date.now();
  return Number.isFinite(ms) ? Math.max(0, ms) : 0;
}

/** @returns whether the time has passed; false when `stop` came before */
export async function pause(ms: number, stop: AbortSignal): Promise<boolean> {
  await sleep(ms, undefined, { signal: stop }).catch(() => undefined);
  return !stop.aborted;
}
