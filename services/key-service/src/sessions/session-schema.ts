import { Type } from '@sinclair/typebox';
import { accessSchema } from '../access/access.ts';
import { instantSchema } from '../http/instant.ts';
import type { Session } from '../access/session.ts';

/** Who is signed in, as the management API shows it. */
export const sessionSchema = Type.Object(
  {
    user: Type.Object({ id: Type.String(), email: Type.String(), ...accessSchema }),
    endsAt: Type.String({
      ...instantSchema,
      description: 'The session ends then, or earlier without requests.',
    }),
  },
  { title: 'Session' },
);

export function toSessionView({ user, endsAt }: Session) {
  return { user, endsAt: new Date(endsAt).toISOString() };
}

export const sessionIdSchema = Type.String({
  format: 'uuid',
  description: 'Names the session; it opens none.',
});

/** One of the sessions of the signed-in user. */
export const sessionListItemSchema = Type.Object(
  {
    id: sessionIdSchema,
    createdAt: instantSchema,
    lastUsedAt: Type.String({ ...instantSchema, description: 'To a twentieth of the idle time.' }),
    endsAt: instantSchema,
    address: Type.Union([Type.String(), Type.Null()], {
      description: 'The network address it was opened from.',
    }),
    userAgent: Type.Union([Type.String(), Type.Null()], { description: 'What the browser calls itself.' }),
    isCurrent: Type.Boolean({ description: 'Whether it is the one that asks.' }),
  },
  { title: 'OwnSession' },
);
