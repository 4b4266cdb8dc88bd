import type { KeyRow } from '@cellarman/key-settings';
import { newKeyOf } from '@cellarman/key-settings';
import { responseData } from '../../api/response-data.ts';
import { keyService } from '../../api/key-service.ts';
import type { NewSecret } from '../dialogs/secret-dialog.tsx';

const MOST_ATTEMPTS = 6;
const FIRST_WAIT_MS = 250;
/** The request can succeed later, or its response was lost. */
const PASSING = new Set([429, 502, 503, 504]);

/**
 * Creates the key of a line, at most once: each line has an `Idempotency-Key` of its own, so a repeated request creates
 * no second key. If only the response was lost, nobody has the secret: that key is revoked, and another one is created.
 *
 * @throws {ApiError}
 */
export async function createImportedKey(row: KeyRow, requestName: string): Promise<NewSecret> {
  const { cellar } = row;
  let lost = 0;
  for (let attempt = 1; ; attempt += 1) {
    const request = keyService.POST('/api/v1/cellars/{cellar}/keys', {
      params: { path: { cellar }, header: { 'idempotency-key': `${requestName}/${lost}` } },
      body: newKeyOf(row),
    });
    const response = await request.then(
      (result) => result.response,
      () => undefined,
    );
    const id = response?.status === 409 ? keyIn(response.headers.get('location')) : undefined;
    if (id !== undefined) {
      const params = { path: { cellar, id } };
      await responseData(keyService.POST('/api/v1/cellars/{cellar}/keys/{id}/revoke', { params }));
      lost += 1;
    } else if ((response === undefined || PASSING.has(response.status)) && attempt < MOST_ATTEMPTS) {
      await wait(FIRST_WAIT_MS * 2 ** attempt);
    } else {
      return responseData(request);
    }
  }
}

function keyIn(location: string | null): string | undefined {
  return /\/keys\/([^/]+)$/.exec(location ?? '')?.[1];
}

const wait = (ms: number) => new Promise((resolve) => window.setTimeout(resolve, ms));
