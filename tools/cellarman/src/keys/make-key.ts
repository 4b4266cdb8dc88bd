import { createKeyOnce, keyCreatedBefore } from '@cellarman/key-settings';
import { dataOf, rejectionOf } from '../http/response-data.ts';
import type { KeyService, KeyWithSecret, NewKey } from '../http/key-service.ts';

export interface MadeKey extends KeyWithSecret {
  /** Ids of keys that were made for the same request, and whose secret never arrived. They are revoked now. */
  lost: string[];
}

/** Creates one key, however often it is called with the same `requestName`, see `createKeyOnce`. */
export async function makeKey(
  keyService: KeyService,
  { cellar, key, requestName }: { cellar: string; key: NewKey; requestName: string },
): Promise<MadeKey> {
  const { created, lost } = await createKeyOnce(requestName, {
    async create(idempotencyKey) {
      const { data, error, response } = await keyService.POST('/api/v1/cellars/{cellar}/keys', {
        params: { path: { cellar }, header: { 'idempotency-key': idempotencyKey } },
        body: key,
      });
      if (data !== undefined) return { created: data };
      const lostId = keyCreatedBefore(response);
      if (lostId === undefined) throw rejectionOf(response.status, error);
      return { lostId };
    },
    revoke: (id) =>
      dataOf(
        keyService.POST('/api/v1/cellars/{cellar}/keys/{id}/revoke', { params: { path: { cellar, id } } }),
      ),
  });
  return { ...created, lost };
}
