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
  description: 'Identifies the session. It is not a credential.',
});

/** One of the sessions of the signed-in user. */
export const sessionListItemSchema = Type.Object(
  {
    id: sessionIdSchema,
    createdAt: instantSchema,
    lastUsedAt: Type.String({ ...instantSchema, description: 'Accurate to a twentieth of the idle time.' }),
    endsAt: instantSchema,
    address: Type.Union([Type.String(), Type.Null()], {
      description: 'The IP address that opened it.',
    }),
    userAgent: Type.Union([Type.String(), Type.Null()], {
      description: 'The User-Agent header of the browser.',
    }),
    isCurrent: Type.Boolean({ description: 'Whether it is the session of this request.' }),
  },
  { title: 'OwnSession' },
);
