import { gatherQuestions } from '@cellarman/gather';
import { Refusal } from '../http/refusal.ts';
import { hashSecret } from './random-secret.ts';

/** Secrets in one statement. Forged ones make statements larger, not more. */
const MAX_BATCH = 500;
const MAX_WAITING = 2_000;

/**
 * Finds what belongs to a secret, of many who ask at once in few statements.
 *
 * @param find what belongs to these hashes, in their order
 */
export function createFindBySecret<Found>(
  find: (hashes: readonly Buffer[]) => Promise<readonly (Found | undefined)[]>,
): (secret: string) => Promise<Found | undefined> {
  const ask = gatherQuestions({ ask: find, maxBatch: MAX_BATCH, maxUnderWay: 1 });
  let waiting = 0;
  return async (secret) => {
    if (waiting >= MAX_WAITING) throw new Refusal('unavailable', 'Too many requests at once. Try again.');
    waiting++;
    try {
      return await ask(hashSecret(secret));
    } finally {
      waiting--;
    }
  };
}
