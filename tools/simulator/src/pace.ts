import { setTimeout as sleep } from 'node:timers/promises';

/** Says when the next reading may be sent. */
export interface Pace {
  /** Resolves to false when no more is to be sent. */
  next(): Promise<boolean>;
}

export interface PaceOptions {
  /** Per second; Infinity for no limit. */
  rate: number;
  count: number;
  durationMs: number;
  stop: AbortSignal;
}

/** What was missed longer ago than this is not sent in one burst afterwards. */
const MOST_BEHIND_MS = 1_000;

export function createPace({ rate, count, durationMs, stop }: PaceOptions): Pace {
  const intervalMs = 1000 / rate;
  const endsAt = performance.now() + durationMs;
  let dueAt = performance.now();
  let left = count;

  return {
    async next() {
      if (left <= 0 || stop.aborted) return false;
      const now = performance.now();
      if (now >= endsAt) return false;
      left -= 1;
      if (rate === Infinity) return true;
      dueAt = Math.max(dueAt + intervalMs, now - MOST_BEHIND_MS);
      if (dueAt > endsAt) return false;
      if (dueAt > now) await sleep(dueAt - now, undefined, { signal: stop }).catch(() => undefined);
      return !isAborted(stop);
    },
  };
}

function isAborted(signal: AbortSignal): boolean {
  return signal.aborted;
}
