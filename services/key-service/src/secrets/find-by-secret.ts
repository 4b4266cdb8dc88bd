import { coalesceLookups } from '../postgres/coalesce-lookups.ts';
import { hashSecret } from './random-secret.ts';

/**
 * Finds what belongs to a secret. Concurrent calls are coalesced into few statements.
 *
 * @param find what belongs to these hashes, in their order
 */
export function createFindBySecret<Found>(
  find: (hashes: readonly Buffer[]) => Promise<readonly (Found | undefined)[]>,
): (secret: string) => Promise<Found | undefined> {
  const lookUp = coalesceLookups(find);
  return (secret) => lookUp(hashSecret(secret));
}
