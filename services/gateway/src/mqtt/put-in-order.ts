import type { Reading } from '@cellarman/client';
import { coalesceRequests } from '@cellarman/concurrency';
import type { Spool } from '../spool.ts';

const MOST_MESSAGES = 500;

/**
 * Returns the `put` of one connection. Messages that come while another is written share the next commit.
 *
 * After a message that was not stored, none is: the device sends it again, and those that follow it must not be ahead of it.
 */
export function createPutInOrder(
  spool: Pick<Spool, 'put'>,
): (readings: readonly Reading[]) => Promise<unknown> {
  let failure: Error | undefined;
  return coalesceRequests({
    async send(lists: readonly (readonly Reading[])[]) {
      if (failure !== undefined) throw failure;
      await spool.put(lists.flat()).catch((error: unknown) => {
        failure = error as Error;
        throw error;
      });
      return lists;
    },
    maxBatch: MOST_MESSAGES,
    maxInFlight: 1,
  });
}
