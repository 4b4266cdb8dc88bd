import type { KegUnit, KeyRecord, SessionRecord } from '@cellarman/contracts';
import { ApiError } from '@cellarman/http-api';
import type { KeyServiceClient } from '@cellarman/key-service-client';

/**
 * What query requests of key-service, again for every request: what was revoked or signed out a moment ago reads nothing
 * any more. Each call rejects with `unavailable` when there is no valid response in time.
 */
export interface KeyService {
  /** @param hash SHA-256 of the key, in hex. @returns null: there is no such key */
  findKey(hash: string): Promise<KeyRecord | null>;
  /** See `KeyServiceClient`. @param options @default `{ isBackground: false }` */
  findSession(id: string, options?: { isBackground: boolean }): Promise<SessionRecord | null>;
  /** See `KeyServiceClient`. */
  kegUnits(cellar: string): Promise<KegUnit[]>;
  /** See `KeyServiceClient`. */
  lastRejection(cellar: string): Promise<string | null>;
}

const MAX_WAITING = 1_000;

/** Bounds what waits for a key-service that is slow. */
export function createKeyService(
  client: Pick<KeyServiceClient, 'lookUp' | 'findSession' | 'kegUnits' | 'lastRejection'>,
): KeyService {
  let waiting = 0;

  async function orUnavailable<Result>(
    work: () => Promise<Result>,
    message = "Can't verify your session or API key right now. Try again.",
  ): Promise<Result> {
    if (waiting >= MAX_WAITING) throw new ApiError('unavailable', 'Too many concurrent requests. Try again.');
    waiting += 1;
    try {
      return await work();
    } catch (cause) {
      throw new ApiError('unavailable', message, { cause });
    } finally {
      waiting -= 1;
    }
  }

  return {
    findKey: (hash) => orUnavailable(async () => (await client.lookUp(hash)).key),
    findSession: (id, { isBackground } = { isBackground: false }) =>
      orUnavailable(() => client.findSession(id, isBackground)),
    kegUnits: (cellar) =>
      orUnavailable(() => client.kegUnits(cellar), 'Units are temporarily unavailable. Try again.'),
    lastRejection: (cellar) => orUnavailable(() => client.lastRejection(cellar)),
  };
}
