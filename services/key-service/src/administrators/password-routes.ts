import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from '@sinclair/typebox';
import { actorOf, sessionOf } from '../access/requester.ts';
import { errorAnswers } from '../http/error-answers.ts';
import { sessionSchema, toSessionView } from '../sessions/session-schema.ts';
import type { SignIn } from '../sessions/sign-in.ts';
import { newPasswordSchema } from './administrator-schema.ts';
import type { ChangePassword } from './change-password.ts';

export interface PasswordRoutesOptions {
  changePassword: ChangePassword;
  signIn: SignIn;
}

/** One's own password. */
export const passwordRoutes: FastifyPluginAsyncTypebox<PasswordRoutesOptions> = async (app, options) => {
  const { changePassword, signIn } = options;

  app.post(
    '/api/v1/session/password',
    {
      config: { access: 'person' },
      schema: {
        tags: ['session'],
        summary: 'Change your password. All your other sessions end.',
        description: 'The answer sets a new cookie, so that you stay signed in here.',
        body: Type.Object(
          {
            currentPassword: Type.String({ minLength: 1, maxLength: 1_024 }),
            newPassword: newPasswordSchema,
          },
          { additionalProperties: false },
        ),
        response: { 200: sessionSchema, ...errorAnswers(400, 401, 403, 413, 415, 429, 503) },
      },
    },
    async (request, reply) => {
      const { email } = sessionOf(request).administrator;
      const known = await changePassword({ email, actor: actorOf(request), ...request.body });
      return toSessionView(await signIn(request, reply, known));
    },
  );
};
