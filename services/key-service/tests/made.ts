import { hashApiKey } from '@cellarman/api-key';
import { randomBytes } from 'node:crypto';
import { expect } from 'vitest';
import type { CellarView } from '../src/cellars/cellar-schema.ts';
import type { KeyView } from '../src/keys/key-schema.ts';
import type { ServiceUnderTest } from './service-under-test.ts';

export interface MadeKey extends KeyView {
  secret: string;
  hash: string;
}

export const newName = (): string => `cellar-${randomBytes(5).toString('hex')}`;

/** Makes a cellar through the API. */
export async function makeCellar(service: ServiceUnderTest, fields: object = {}): Promise<CellarView> {
  const answer = await service.admin.call<CellarView>('POST', '/api/v1/cellars', {
    name: newName(),
    ...fields,
  });
  expect(answer.status).toBe(201);
  return answer.body;
}

/** Makes a key through the API. */
export async function makeKey(
  service: ServiceUnderTest,
  cellar: string,
  fields: object = {},
): Promise<MadeKey> {
  const answer = await service.admin.call<{ key: KeyView; secret: string }>(
    'POST',
    `/api/v1/cellars/${cellar}/keys`,
    { name: 'a key', ...fields },
  );
  expect(answer.status).toBe(201);
  const { key, secret } = answer.body;
  return { ...key, secret, hash: hashApiKey(secret) };
}
