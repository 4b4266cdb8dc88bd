import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { Logger } from '@cellarman/telemetry';
import { Type } from '@sinclair/typebox';
import type { AdministratorsRepository } from '../administrators/administrators-repository.ts';
import type { Passwords } from '../administrators/password.ts';
import { errorAnswers } from '../http/error-answers.ts';
import { instantSchema } from '../http/instant.ts';
import { Refusal } from '../http/refusal.ts';
import { requireSession, sessionOf } from './require-session.ts';
import type { SessionCookie } from './session-cookie.ts';
import type { Session } from './session.ts';
import type { Sessions } from './sessions.ts';
import type { SignInThrottle } from './sign-in-throttle.ts';

export interface SessionRoutesOptions {
  administrators: AdministratorsRepository;
  passwords: Passwords;
  sessions: Sessions;
  cookie: SessionCookie;
  throttle: SignInThrottle;
  logger: Logger;
}

const tags = ['session'];

const sessionSchema = Type.Object({
  administrator: Type.Object({ id: Type.String(), email: Type.String() }),
  endsAt: Type.String({
    ...instantSchema,
    description: 'The session ends then, or earlier without requests.',
  }),
});

const signInSchema = Type.Object(
  {
    email: Type.String({ minLength: 3, maxLength: 254, examples: ['admin@example.com'] }),
    password: Type.String({ minLength: 1, maxLength: 1_024 }),
  },
  { additionalProperties: false },
);

/** Sign in, sign out, and who is signed in. */
export const sessionRoutes: FastifyPluginAsyncTypebox<SessionRoutesOptions> = async (app, options) => {
  const { administrators, passwords, sessions, cookie, throttle, logger } = options;

  app.post(
    '/api/v1/session',
    {
      schema: {
        tags,
        summary: 'Sign in.',
        description: 'The answer sets a cookie, which every other request of the management API needs.',
        body: signInSchema,
        response: {
          201: sessionSchema,
          ...errorAnswers(400, 401, 403, 413, 415, 429, 503),
        },
      },
    },
    async (request, reply) => {
      const { email, password } = request.body;
      await throttle.take(email, request.ip);
      const administrator = await administrators.findByEmail(email);
      const right = await passwords.verify(password, administrator?.passwordHash);
      if (administrator === undefined || !right) {
        logger.warn({ address: request.ip }, 'somebody could not sign in');
        throw new Refusal('unauthenticated', 'The address or the password is wrong.');
      }
      await throttle.giveBack(email, request.ip);

      // A new id each time; the session that the browser had before ends.
      const previous = cookie.read(request);
      if (previous !== undefined) await sessions.end(previous);
      const { id, session } = await sessions.open({ id: administrator.id, email: administrator.email });
      cookie.write(request, reply, id);
      logger.info({ administrator: administrator.email, address: request.ip }, 'an administrator signed in');
      return reply.code(201).send(toView(session));
    },
  );

  app.delete(
    '/api/v1/session',
    {
      schema: {
        tags,
        summary: 'Sign out.',
        description: 'Does nothing when nobody is signed in.',
        response: {
          204: Type.Null({ description: 'Nobody is signed in any more.' }),
          ...errorAnswers(403, 503),
        },
      },
    },
    async (request, reply) => {
      const id = cookie.read(request);
      if (id !== undefined) await sessions.end(id);
      cookie.clear(request, reply);
      return reply.code(204).send(null);
    },
  );

  await app.register(async (signedIn) => {
    requireSession(signedIn, { sessions, cookie });
    signedIn.get(
      '/api/v1/session',
      {
        schema: {
          tags,
          summary: 'Who is signed in.',
          response: { 200: sessionSchema, ...errorAnswers(401, 503) },
        },
      },
      async (request) => toView(sessionOf(request)),
    );
  });
};

function toView({ administrator, endsAt }: Session) {
  return { administrator, endsAt: new Date(endsAt).toISOString() };
}
