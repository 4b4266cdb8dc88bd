import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Logger } from '@cellarman/telemetry';
import type { Known } from '../access/account.ts';
import type { SessionCookie } from './session-cookie.ts';
import type { Session } from '../access/session.ts';
import type { Sessions } from './sessions.ts';

/** Opens a session for a user who has authenticated, and sets its cookie. */
export type SignIn = (request: FastifyRequest, reply: FastifyReply, known: Known) => Promise<Session>;

export function createSignIn(parts: { sessions: Sessions; cookie: SessionCookie; logger: Logger }): SignIn {
  const { sessions, cookie, logger } = parts;
  return async (request, reply, known) => {
    // A new id each time; the session that the browser had before ends.
    const previous = cookie.read(request);
    const address = request.ip;
    if (previous !== undefined) await sessions.signOut(previous, address);
    const userAgent = request.headers['user-agent'] ?? null;
    const { secret, session } = await sessions.open(known, { address, userAgent });
    cookie.write(request, reply, secret);
    logger.info({ user: known.email, address }, 'user signed in');
    return session;
  };
}
