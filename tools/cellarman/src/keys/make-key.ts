import { createKeyOnce, firstIdempotencyKey, keyCreatedBefore } from '@cellarman/key-settings';
import { dataOf, rejectionOf } from '../http/response-data.ts';
import type { KeyService, KeyWithSecret, NewKey } from '../http/key-service.ts';

export interface KeyRequest {
  key: NewKey;
  requestName: string;
}

/** Rejections of one key, of a full cellar, or of a key-service of the previous version. */
const MAKE_EACH = new Set([400, 404, 405, 409]);

/**
 * Creates keys in one request.
 *
 * @returns in the order of the requests; undefined: `makeKey` must create the key, or find why it cannot be created
 */
export async function makeKeys(
  keyService: KeyService,
  { cellar, requests }: { cellar: string; requests: readonly KeyRequest[] },
): Promise<({ id: string; secret: string } | undefined)[]> {
  const keys = requests.map(({ key, requestName }) => ({
    ...{ scopes: ['ingest' as const], ...key },
    idempotencyKey: firstIdempotencyKey(requestName),
  }));
  const { data, error, response } = await keyService.POST('/api/v1/cellars/{cellar}/key-batches', {
    params: { path: { cellar } },
    body: { keys },
  });
  if (data !== undefined) {
    return data.keys.map(({ id, secret }) => (secret === null ? undefined : { id, secret }));
  }
  if (MAKE_EACH.has(response.status)) return requests.map(() => undefined);
  throw rejectionOf(response.status, error);
}

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
