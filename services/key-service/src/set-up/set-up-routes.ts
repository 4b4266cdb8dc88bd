import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from '@sinclair/typebox';
import { emailSchema } from '../access/account.ts';
import { newPasswordSchema } from '../passwords/password-rules.ts';
import { sessionSchema, toSessionView } from '../sessions/session-schema.ts';
import type { SignIn } from '../sessions/sign-in.ts';
import type { SetUp } from './set-up.ts';

export interface SetUpRoutesOptions {
  setUp: SetUp;
  signIn: SignIn;
}

const tags = ['set-up'];

/** The first start: who may sign in. */
export const setUpRoutes: FastifyPluginAsyncTypebox<SetUpRoutesOptions> = async (app, { setUp, signIn }) => {
  app.get(
    '/api/v1/setup',
    {
      config: { errors: ['unavailable'] },
      schema: {
        tags,
        summary: 'Get whether the first user has to be created.',
        response: { 200: Type.Object({ isNeeded: Type.Boolean() }) },
      },
    },
    async () => ({ isNeeded: await setUp.isNeeded() }),
  );

  app.post(
    '/api/v1/setup',
    {
      config: { errors: ['unauthenticated', 'conflict', 'unavailable'] },
      schema: {
        tags,
        summary: 'Create the first user, and sign in.',
        description: 'Needs the token that key-service logs at its start while there is no user.',
        body: Type.Object(
          {
            token: Type.String({
              minLength: 1,
              maxLength: 100,
              description: 'From the log; valid for one use.',
            }),
            email: emailSchema,
            password: newPasswordSchema,
          },
          { additionalProperties: false },
        ),
        response: { 201: sessionSchema },
      },
    },
    async (request, reply) => {
      const user = await setUp.finish({ ...request.body, address: request.ip });
      return reply.code(201).send(toSessionView(await signIn(request, reply, user)));
    },
  );
};
