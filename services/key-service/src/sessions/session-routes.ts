import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { Logger } from '@cellarman/telemetry';
import { Type } from '@sinclair/typebox';
import type { Passwords } from '../passwords/password.ts';
import { ApiError } from '@cellarman/http-api';
import type { ClientOf } from '../http/client.ts';
import { widestNetworkOf } from '../http/networks-of.ts';
import type { AuditSignIns } from './audit-sign-ins.ts';
import type { FindAccount } from './find-account.ts';
import type { SessionCookie } from './session-cookie.ts';
import { sessionSchema, toSessionView } from './session-schema.ts';
import type { SignIn } from './sign-in.ts';
import type { Sessions } from './sessions.ts';
import { LockedOut } from './sign-in-throttle.ts';
import type { SignInThrottle } from './sign-in-throttle.ts';

export interface SessionRoutesOptions {
  findAccount: FindAccount;
  passwords: Passwords;
  sessions: Sessions;
  cookie: SessionCookie;
  throttle: SignInThrottle;
  auditSignIns: AuditSignIns;
  clientOf: ClientOf;
  signIn: SignIn;
  logger: Logger;
}

const tags = ['session'];

const signInSchema = Type.Object(
  {
    // PostgreSQL stores no U+0000, and compares with none.
    email: Type.String({
      minLength: 3,
      maxLength: 254,
      pattern: '^[^\\u0000]+$',
      examples: ['admin@example.com'],
    }),
    password: Type.String({ minLength: 1, maxLength: 1_024 }),
  },
  { additionalProperties: false },
);

/** Sign in and sign out. */
export const sessionRoutes: FastifyPluginAsyncTypebox<SessionRoutesOptions> = async (app, options) => {
  const { findAccount, passwords, sessions, cookie, throttle, auditSignIns, clientOf, signIn, logger } =
    options;

  app.post(
    '/api/v1/session',
    {
      config: { errors: ['unauthenticated', 'unavailable'] },
      schema: {
        tags,
        summary: 'Sign in.',
        description: 'The response sets a cookie, which every other request of the management API needs.',
        body: signInSchema,
        response: { 201: sessionSchema },
      },
    },
    async (request, reply) => {
      const { password } = request.body;
      const client = clientOf(request);
      const { email, account: user } = await findAccount(request.body.email);
      try {
        await throttle.take(email, client.address, client);
      } catch (error) {
        if (error instanceof LockedOut) auditSignIns.lockedOut(error.lockOut, user?.email, request.ip);
        throw error;
      }
      const network = widestNetworkOf(client.address);
      const right = await passwords.verify(password, user?.passwordHash, network);
      if (user === undefined || !right) {
        // Only the email address of an account: what nobody has may be a password in the wrong field.
        const account = user?.email ?? null;
        logger.warn({ account, address: request.ip }, 'sign-in failed');
        if (account !== null) auditSignIns.failed(account, request.ip);
        throw new ApiError('unauthenticated', 'Wrong email or password');
      }
      await throttle.giveBack(email, client.address, client);
      return reply.code(201).send(toSessionView(await signIn(request, reply, user)));
    },
  );

  app.delete(
    '/api/v1/session',
    {
      config: { errors: ['unavailable'] },
      schema: {
        tags,
        summary: 'Sign out.',
        description: 'Does nothing without a session.',
        response: {
          204: Type.Null({ description: 'Signed out.' }),
        },
      },
    },
    async (request, reply) => {
      const secret = cookie.read(request);
      // Concurrent lookups are coalesced: a forged cookie costs no query of its own.
      if (secret !== undefined && (await sessions.find(secret, request.headers)) !== undefined)
        await sessions.signOut(secret, request.ip);
      cookie.clear(request, reply);
      return reply.code(204).send(null);
    },
  );
};
