import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Actor } from '../changes/record-changes.ts';
import { Refusal } from '../http/refusal.ts';
import type { SessionCookie } from './session-cookie.ts';
import type { Session } from './session.ts';
import type { Sessions } from './sessions.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Set on every route behind `requireSession`. */
    session: Session | null;
  }
}

/** Everything that is registered on `app` after this needs somebody who is signed in. */
export function requireSession(
  app: FastifyInstance,
  { sessions, cookie }: { sessions: Sessions; cookie: SessionCookie },
): void {
  app.addHook('onRequest', async (request) => {
    const id = cookie.read(request);
    const session = id === undefined ? undefined : await sessions.find(id);
    if (session === undefined) throw new Refusal('unauthenticated', 'Nobody is signed in.');
    request.session = session;
  });
}

export function sessionOf(request: FastifyRequest): Session {
  if (request.session === null) throw new Error('this route is not behind requireSession');
  return request.session;
}

/** Who asks, for the audit. */
export function actorOf(request: FastifyRequest): Actor {
  const { administrator } = sessionOf(request);
  return { id: administrator.id, name: administrator.email, address: request.ip };
}
