import { api } from '../api/api.ts';
import type { Key } from '../api/resources.ts';

/** @throws {ApiError} */
export async function revokeKey({ cellar, id }: Pick<Key, 'cellar' | 'id'>): Promise<null> {
  const params = { path: { cellar, id } };
  await api.post('/api/v1/cellars/{cellar}/keys/{id}/revoke', { params });
  return null;
}
