import { Type } from '@sinclair/typebox';
import type { Static } from '@sinclair/typebox';
import { instantSchema, optionalInstantSchema } from '../http/instant.ts';
import { accessSchema } from '../access/access.ts';

export const userIdSchema = Type.String({ format: 'uuid' });

/** A user, as owners see them. */
export const userViewSchema = Type.Object(
  {
    id: userIdSchema,
    email: Type.String(),
    ...accessSchema,
    createdAt: instantSchema,
    disabledAt: Type.Union(optionalInstantSchema.anyOf, { description: 'null: they can sign in.' }),
  },
  { title: 'User' },
);

export type UserView = Static<typeof userViewSchema>;
