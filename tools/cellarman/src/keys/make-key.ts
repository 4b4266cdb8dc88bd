import { answerOf, rejectionOf } from '../http/answer-of.ts';
import type { KeyService, KeyWithSecret, NewKey } from '../http/key-service.ts';

export interface MadeKey extends KeyWithSecret {
  /** Ids of keys that were made for the same request, and whose secret never arrived. They are revoked now. */
  lost: string[];
}

/**
 * Makes one key, however often the same is asked, also by a run that was killed in between.
 *
 * The secret is shown only in the first answer. Where that was lost, key-service rejects the same name of a request
 * with 409 and says which key it had made. Nobody has the secret of that one: it is revoked, and the next name in the
 * row is tried. The names depend on nothing but `requestName`, so that every run goes the same way.
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
