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
  // Formatting a date takes longer than anything else in a put.
  let second = Number.NaN;
  let prefix = '';
  return () => {
    const ms = now();
    if (ms < EARLIEST_MS)
      throw new ClientError(
        'clock_not_set',
        `the clock shows ${new Date(ms).toISOString()}: set it, or give a timestamp`,
      );
    const micros = Math.floor(ms * 1_000);
    last = last - micros >= LONGEST_STEP_BACK_US ? micros : Math.max(micros, last + 1);
    const fraction = last % 1_000_000;
    if (last - fraction !== second) {
      second = last - fraction;
      prefix = new Date(second / 1_000).toISOString().slice(0, 20);
    }
    return `${prefix}${String(fraction).padStart(6, '0')}Z`;
  };
}
