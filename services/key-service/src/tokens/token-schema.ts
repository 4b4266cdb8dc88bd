import { Type } from '@sinclair/typebox';
import type { Static } from '@sinclair/typebox';
import { accessSchema } from '../access/access.ts';
import { instantSchema, optionalInstantSchema } from '../http/instant.ts';

export const tokenIdSchema = Type.String({ format: 'uuid' });

export const tokenNameSchema = Type.String({
  minLength: 1,
  maxLength: 100,
  pattern: '^[^\\u0000-\\u001F\\u007F]+$',
  description: 'A display name, also in the audit log.',
  examples: ['nightly provisioning'],
});

/** A service token, as owners see it: everything but the token. */
export const tokenViewSchema = Type.Object(
  {
    id: tokenIdSchema,
    name: tokenNameSchema,
    displayPrefix: Type.String({ description: 'The first characters of the token.', examples: ['cmt_4fGh'] }),
    ...accessSchema,
    createdAt: instantSchema,
    createdBy: Type.String(),
    expiresAt: optionalInstantSchema,
    revokedAt: optionalInstantSchema,
    lastUsedAt: Type.Union(optionalInstantSchema.anyOf, { description: 'Accurate to about a minute.' }),
  },
  { title: 'ServiceToken' },
);

export type TokenView = Static<typeof tokenViewSchema>;
