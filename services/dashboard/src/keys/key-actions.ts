import { ApiError } from '../api/api-error.ts';
import { api } from '../api/api.ts';
import type { Key } from '../api/resources.ts';
import type { Outcome } from './bulk/run-each.ts';
import type { NewSecret } from './dialogs/secret-dialog.tsx';

/** @throws {ApiError} */
export async function revokeKey({ cellar, id }: Pick<Key, 'cellar' | 'id'>): Promise<null> {
  const params = { path: { cellar, id } };
  await api.post('/api/v1/cellars/{cellar}/keys/{id}/revoke', { params });
  return null;
}

export type BulkAction = 'revoke' | 'expire' | 'rotate';

/** The result is null if there is no new key. */
export type BulkOutcome = Outcome<Key, NewSecret | null>;

export const DONE: Record<BulkAction, string> = {
  revoke: 'revoked',
  expire: 'updated',
  rotate: 'rotated',
};

const at = ({ cellar, id }: Key) => ({ params: { path: { cellar, id } } });

export async function changeExpiry(key: Key, expiresAt: string | null): Promise<null> {
  const body = { expiresAt };
  await api.patch('/api/v1/cellars/{cellar}/keys/{id}', { ...at(key), body });
  return null;
}

export async function rotateKey(key: Key, overlapSeconds: number): Promise<NewSecret> {
  const body = { overlapSeconds };
  try {
    return await api.post('/api/v1/cellars/{cellar}/keys/{id}/rotate', { ...at(key), body });
  } catch (error) {
    // The rotation can have taken place, and its secret is gone: another attempt would create one more key.
    if (error instanceof ApiError && error.status === 0)
      throw new Error('No response. Open the key to see whether it was rotated.', { cause: error });
    throw error;
  }
}
