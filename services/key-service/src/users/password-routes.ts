import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from '@sinclair/typebox';
import { actorOf, sessionOf } from '../access/requester.ts';
import { sessionSchema, toSessionView } from '../sessions/session-schema.ts';
import type { Sessions } from '../sessions/sessions.ts';
import type { SignIn } from '../sessions/sign-in.ts';
import { newPasswordSchema } from '../passwords/password-rules.ts';
import type { ChangePassword } from './change-password.ts';
import type { CheckPassword } from './check-password.ts';

export interface PasswordRoutesOptions {
  changePassword: ChangePassword;
  checkPassword: CheckPassword;
  sessions: Pick<Sessions, 'confirm'>;
  signIn: SignIn;
}

/** One's own password. */
export const passwordRoutes: FastifyPluginAsyncTypebox<PasswordRoutesOptions> = async (app, options) => {
  const { changePassword, checkPassword, sessions, signIn } = options;

  app.post(
    '/api/v1/session/confirm',
    {
      config: { access: 'person', errors: ['rate_limited'] },
      schema: {
        tags: ['session'],
        summary: 'Confirm your password, for requests that are rejected with `password_required`.',
        description:
          'It counts for five minutes, in this session only. A wrong one counts as an attempt to sign in.',
        body: Type.Object(
          { password: Type.String({ minLength: 1, maxLength: 1_024 }) },
          { additionalProperties: false },
        ),
        response: {
          204: Type.Null({ description: 'The password is correct.' }),
        },
      },
    },
    async (request, reply) => {
      const session = sessionOf(request);
      await checkPassword(session.user.email, request.body.password, request.ip);
      await sessions.confirm(session);
      return reply.code(204).send(null);
    },
  );

  app.post(
    '/api/v1/session/password',
    {
      config: { access: 'person', errors: ['rate_limited'] },
      schema: {
        tags: ['session'],
        summary: 'Change your password. All your other sessions end.',
        description: 'The response sets a new cookie, so that you stay signed in here.',
        body: Type.Object(
          {
            currentPassword: Type.String({ minLength: 1, maxLength: 1_024 }),
            newPassword: newPasswordSchema,
          },
          { additionalProperties: false },
        ),
        response: { 200: sessionSchema },
      },
    },
    async (request, reply) => {
      const { email } = sessionOf(request).user;
      const known = await changePassword({ email, actor: actorOf(request), ...request.body });
      return toSessionView(await signIn(request, reply, known));
    },
  );
};
