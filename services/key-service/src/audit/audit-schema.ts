import { cellarSchema } from '@cellarman/reading';
import { Type } from '@sinclair/typebox';
import type { Static } from '@sinclair/typebox';
import { instantSchema } from '../http/instant.ts';

export const auditViewSchema = Type.Object(
  {
    id: Type.String({ description: 'Increases with each entry.' }),
    at: instantSchema,
    actor: Type.String({
      description:
        'Who did it: the email address of the user, or the name of the service token, at that time.',
    }),
    actorType: Type.Union([Type.Literal('user'), Type.Literal('token'), Type.Literal('service')], {
      description: 'A user, a service token, or the system.',
    }),
    address: Type.Union([Type.String(), Type.Null()], { description: 'The IP address of the request.' }),
    action: Type.String({ examples: ['key.created', 'key.revoked', 'cellar.changed'] }),
    cellar: Type.Union([cellarSchema, Type.Null()]),
    keyId: Type.Union([Type.String(), Type.Null()]),
    details: Type.Record(Type.String(), Type.Unknown(), {
      description: 'Details, which differ by action.',
    }),
  },
  { title: 'AuditEntry' },
);

export type AuditView = Static<typeof auditViewSchema>;
