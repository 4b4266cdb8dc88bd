import { coalesceRequests } from '@cellarman/concurrency';
import { ApiError } from '@cellarman/http-api';

/** Lookups in one query. Forged ones make queries larger, not more. */
const MAX_BATCH = 500;
const MAX_WAITING = 2_000;

/**
 * Coalesces concurrent lookups into one query at a time, so that callers who are not known yet hold one connection at most.
 *
 * @param find returns what belongs to each, in their order
 */
export function coalesceLookups<Key, Found>(
  find: (key: readonly Key[]) => Promise<readonly Found[]>,
): (key: Key) => Promise<Found> {
  const send = coalesceRequests({ send: find, maxBatch: MAX_BATCH, maxInFlight: 1 });
  let waiting = 0;
  return async (key) => {
    if (waiting >= MAX_WAITING) throw new ApiError('unavailable', 'Too many concurrent requests. Try again.');
    waiting++;
    try {
      return await send(key);
    } finally {
      waiting--;
    }
  };
}
