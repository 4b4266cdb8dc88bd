import { Type } from '@sinclair/typebox';
import type { Static } from '@sinclair/typebox';
import { instantSchema, optionalInstantSchema } from '../http/instant.ts';
import { accessSchema } from '../access/access.ts';

export const administratorIdSchema = Type.String({ format: 'uuid' });

/** Somebody with an account, as owners see them. */
export const administratorViewSchema = Type.Object(
  {
    id: administratorIdSchema,
    email: Type.String(),
    ...accessSchema,
    createdAt: instantSchema,
    disabledAt: Type.Union(optionalInstantSchema.anyOf, { description: 'null: they can sign in.' }),
  },
  { title: 'Administrator' },
);

export type AdministratorView = Static<typeof administratorViewSchema>;
