import { Type } from '@sinclair/typebox';
import type { Static } from '@sinclair/typebox';
import { accessSchema } from '../access/access.ts';
import { instantSchema } from '../http/instant.ts';

export const invitationIdSchema = Type.String({ format: 'uuid' });

/** A pending invitation, as owners see it. */
export const invitationViewSchema = Type.Object(
  {
    id: invitationIdSchema,
    email: Type.String(),
    ...accessSchema,
    createdAt: instantSchema,
    createdBy: Type.String({ description: 'The email address of the owner who invited them.' }),
    expiresAt: instantSchema,
  },
  { title: 'Invitation' },
);

export type InvitationView = Static<typeof invitationViewSchema>;

export const tokenSchema = Type.String({
  minLength: 1,
  maxLength: 100,
  description: 'The part after `#` of the link `/invitation#…`.',
});
