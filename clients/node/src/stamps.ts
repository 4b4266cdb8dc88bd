import { ClientError } from './client-error.ts';

/** No clock that was ever set is before this client was written. */
const EARLIEST_MS = Date.UTC(2025, 0, 1);
const LONGEST_STEP_BACK_US = 1_000_000;

/**
 * Returns a function that gives timestamps with microseconds.
 *
 * They increase strictly, because two equal values at the same time would be one reading. After a clock is set back by more
 * than a second, they follow the clock.
 */
export function createStamps(now: () => number): () => string {
  let last = 0;
  return () => {
    const ms = now();
    if (ms < EARLIEST_MS)
      throw new ClientError(
        'clock_not_set',
        `the clock shows ${new Date(ms).toISOString()}: set it, or give a timestamp`,
      );
    const micros = Math.floor(ms * 1_000);
    last = last - micros >= LONGEST_STEP_BACK_US ? micros : Math.max(micros, last + 1);
    const digits = String(last % 1_000).padStart(3, '0');
    return `${new Date(Math.floor(last / 1_000)).toISOString().slice(0, -1)}${digits}Z`;
  };
}
