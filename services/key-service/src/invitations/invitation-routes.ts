import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from '@sinclair/typebox';
import { requireConfirmed } from '../access/require-confirmed.ts';
import { actorOf } from '../access/requester.ts';
import { grantedCellarsSchema, readAccess, roleSchema } from '../access/access.ts';
import { emailSchema } from '../access/account.ts';
import { nextCursorSchema, pageQuery } from '@cellarman/http-api';
import { invitationIdSchema, invitationViewSchema, tokenSchema } from './invitation-schema.ts';
import type { Invitations } from './invitations.ts';

const tags = ['users'];
const config = { access: 'owner in person' } as const;

/** Invitations, for those who invite. */
export const invitationRoutes: FastifyPluginAsyncTypebox<{ invitations: Invitations }> = async (
  app,
  { invitations },
) => {
  app.post(
    '/api/v1/invitations',
    {
      config: { ...config, errors: ['password_required', 'conflict'] },
      schema: {
        tags,
        summary: 'Invite a user. Only this response contains the token of the link.',
        description:
          'The link is the URL of the dashboard with `/invitation#` and the token. Inviting the same user again replaces the link. `password_required`: to invite an owner, confirm the password first.',
        body: Type.Object(
          { email: emailSchema, role: roleSchema, cellars: Type.Optional(grantedCellarsSchema) },
          { additionalProperties: false },
        ),
        response: {
          201: Type.Object({ invitation: invitationViewSchema, token: tokenSchema }),
        },
      },
    },
    async (request, reply) => {
      const { email, role, cellars } = request.body;
      if (role === 'owner') requireConfirmed(request);
      const created = await invitations.create(email, readAccess(role, cellars), actorOf(request));
      return reply.code(201).send(created);
    },
  );

  app.get(
    '/api/v1/invitations',
    {
      config,
      schema: {
        tags,
        summary: 'List pending invitations by email address.',
        querystring: Type.Object(pageQuery(), { additionalProperties: false }),
        response: {
          200: Type.Object({ invitations: Type.Array(invitationViewSchema), nextCursor: nextCursorSchema }),
        },
      },
    },
    async (request) => invitations.list(request.query),
  );

  app.delete(
    '/api/v1/invitations/:id',
    {
      config: { ...config, errors: ['not_found'] },
      schema: {
        tags,
        summary: 'Withdraw an invitation. Its link becomes invalid.',
        params: Type.Object({ id: invitationIdSchema }),
        response: {
          204: Type.Null({ description: 'The invitation is withdrawn.' }),
        },
      },
    },
    async (request, reply) => {
      await invitations.withdraw(request.params.id, actorOf(request));
      return reply.code(204).send(null);
    },
  );
};
