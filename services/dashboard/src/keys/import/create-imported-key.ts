import { createKeyOnce, keyCreatedBefore, newKeyOf } from '@cellarman/key-settings';
import type { KeyRow } from '@cellarman/key-settings';
import { responseData } from '../../api/response-data.ts';
import { client } from '../../api/api.ts';
import type { NewSecret } from '../dialogs/secret-dialog.tsx';
import { revokeKey } from '../key-actions.ts';

const MOST_ATTEMPTS = 6;
const FIRST_WAIT_MS = 250;
/** The request can succeed later, or its response was lost. */
const PASSING = new Set([429, 502, 503, 504]);

/**
 * Creates the key of a line, at most once, see `createKeyOnce`.
 *
 * @throws {ApiError}
 */
export async function createImportedKey(row: KeyRow, requestName: string): Promise<NewSecret> {
  const { cellar } = row;
  let attempts = 0;
  const { created } = await createKeyOnce<NewSecret>(requestName, {
    async create(idempotencyKey) {
      for (;;) {
        attempts += 1;
        const request = client.POST('/api/v1/cellars/{cellar}/keys', {
          params: { path: { cellar }, header: { 'idempotency-key': idempotencyKey } },
          body: newKeyOf(row),
        });
        const response = await request.then(
          (result) => result.response,
          () => undefined,
        );
        const lostId = response && keyCreatedBefore(response);
        if (lostId !== undefined) return { lostId };
        const isPassing = response === undefined || PASSING.has(response.status);
        if (!isPassing || attempts >= MOST_ATTEMPTS) return { created: await responseData(request) };
        await wait(FIRST_WAIT_MS * 2 ** attempts);
      }
    },
    revoke: (id) => revokeKey({ cellar, id }),
  });
  return created;
}

const wait = (ms: number) => new Promise((resolve) => window.setTimeout(resolve, ms));
