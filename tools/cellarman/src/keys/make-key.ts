import { answerOf, rejectionOf } from '../http/answer-of.ts';
import type { KeyService, KeyWithSecret, NewKey } from '../http/key-service.ts';

export interface MadeKey extends KeyWithSecret {
  /** Ids of keys that were made for the same request, and whose secret never arrived. They are revoked now. */
  lost: string[];
}

/**
 * Creates one key, however often it is called with the same `requestName`, also by a run that was killed in between.
 *
 * The secret is only in the first response. If that was lost, key-service rejects the same idempotency key with 409 and names
 * the key that it had created. Its secret is lost, so that key is revoked, and the next idempotency key in the sequence is
 * tried. The sequence depends on `requestName` alone, so that every run repeats the same one.
 */
export async function makeKey(
  keyService: KeyService,
  { cellar, key, requestName }: { cellar: string; key: NewKey; requestName: string },
): Promise<MadeKey> {
  const lost: string[] = [];
  for (let attempt = 1; ; attempt += 1) {
    const { data, error, response } = await keyService.POST('/api/v1/cellars/{cellar}/keys', {
      params: { path: { cellar }, header: { 'idempotency-key': `${requestName}/${attempt}` } },
      body: key,
    });
    if (data !== undefined) return { ...data, lost };
    const id = keyMadeBefore(response);
    if (id === undefined) throw rejectionOf(response.status, error);
    const path = { cellar, id };
    await answerOf(keyService.POST('/api/v1/cellars/{cellar}/keys/{id}/revoke', { params: { path } }));
    lost.push(id);
  }
}

/** The id in the `Location` of a 409, which is there only when the same request has made a key. */
function keyMadeBefore({ status, headers }: Response): string | undefined {
  return status === 409 ? /\/keys\/([^/]+)$/.exec(headers.get('location') ?? '')?.[1] : undefined;
}
