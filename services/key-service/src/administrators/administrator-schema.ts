import { Type } from '@sinclair/typebox';
import type { Static } from '@sinclair/typebox';
import { instantSchema, optionalInstantSchema } from '../http/instant.ts';
import { accessSchema } from './access.ts';
import { PASSWORD_LENGTH } from './password-rules.ts';

export const emailSchema = Type.String({
  maxLength: 254,
  pattern: '^[^@\\s\\u0000-\\u001F\\u007F]+@[^@\\s\\u0000-\\u001F\\u007F]+$',
  description: 'In upper or lower case.',
  examples: ['mara@example.com'],
});

export const newPasswordSchema = Type.String({
  minLength: PASSWORD_LENGTH.minimum,
  maxLength: PASSWORD_LENGTH.maximum,
  description: 'Any characters. One that many people use is refused.',
});

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
