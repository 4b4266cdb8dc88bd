import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from '@sinclair/typebox';
import { accessSchema } from '../access/access.ts';
import { newPasswordSchema } from '../passwords/password-rules.ts';
import { instantSchema } from '../http/instant.ts';
import { sessionSchema, toSessionView } from '../sessions/session-schema.ts';
import type { SignIn } from '../sessions/sign-in.ts';
import { tokenSchema } from './invitation-schema.ts';
import type { Invitations } from './invitations.ts';

const tags = ['users'];

/** For invited users, who have a link and no account yet. */
export const joinRoutes: FastifyPluginAsyncTypebox<{ invitations: Invitations; signIn: SignIn }> = async (
  app,
  { invitations, signIn },
) => {
  app.post(
    '/api/v1/join/lookup',
    {
      config: { errors: ['not_found', 'unavailable'] },
      schema: {
        tags,
        summary: 'Get the invitation of a token.',
        body: Type.Object({ token: tokenSchema }, { additionalProperties: false }),
        response: {
          200: Type.Object({ email: Type.String(), ...accessSchema, expiresAt: instantSchema }),
        },
      },
    },
    async (request) => {
      const { email, role, cellars, expiresAt } = await invitations.lookUp(request.body.token);
      return { email, role, cellars, expiresAt };
    },
  );

  app.post(
    '/api/v1/join',
    {
      config: { errors: ['unauthenticated', 'not_found', 'conflict', 'unavailable'] },
      schema: {
        tags,
        summary: 'Join: set a password, and sign in. It works once.',
        body: Type.Object(
          { token: tokenSchema, password: newPasswordSchema },
          { additionalProperties: false },
        ),
        response: { 201: sessionSchema },
      },
    },
    async (request, reply) => {
      const joined = await invitations.accept({ ...request.body, address: request.ip });
      const session = await signIn(request, reply, joined);
      return reply.code(201).send(toSessionView(session));
    },
  );
};
