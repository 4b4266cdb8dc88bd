import { ApiError } from '@cellarman/http-api';
import { Type } from '@sinclair/typebox';
import type { Static, TObject } from '@sinclair/typebox';
import { optionalInstantSchema } from '../http/instant.ts';
import { optionalRateLimitSchema } from '../http/rate-limit-schema.ts';
import type { NewKey } from './insert-key.ts';
import { keyNameSchema, rackRestriction, scopesSchema } from './key-schema.ts';

export const expiresAtSchema = Type.Union(optionalInstantSchema.anyOf, {
  description: 'In the future by the clock of the database. null: never.',
});

export const keyRateLimitSchema = Type.Union(optionalRateLimitSchema.anyOf, {
  description:
    'At most that of the cellar. In a cellar without a rate limit only owners may set one. null: that of the cellar.',
});

export const secretSchema = Type.String({
  description: 'The API key. It is shown only once and stored nowhere.',
});

/** What a request says of a new key. */
export const newKeyFields = {
  name: keyNameSchema,
  expiresAt: Type.Optional(expiresAtSchema),
  rack: Type.Optional(rackRestriction.rack),
  rackPrefix: Type.Optional(rackRestriction.rackPrefix),
  scopes: Type.Array(scopesSchema.items, { ...scopesSchema, default: ['ingest'] }),
  rateLimit: Type.Optional(keyRateLimitSchema),
};

/** @throws {ApiError} `invalid_request` */
export function toNewKey(fields: Static<TObject<typeof newKeyFields>>): NewKey {
  const { name, expiresAt = null, rack = null, rackPrefix = null, scopes, rateLimit = null } = fields;
  if (rack !== null && rackPrefix !== null) {
    throw new ApiError('invalid_request', 'A key must have rack or rackPrefix, not both');
  }
  return { name, expiresAt, rack, rackPrefix, scopes, rateLimit };
}
