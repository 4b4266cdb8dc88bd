import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Refusal } from '../http/refusal.ts';
import type { SessionCookie } from '../sessions/session-cookie.ts';
import type { Sessions } from '../sessions/sessions.ts';
import type { Requester } from './requester.ts';

export interface AuthenticateOptions {
  sessions: Sessions;
  cookie: SessionCookie;
}

/** Everything that is registered on `app` after this needs somebody who is known. */
export function authenticate(app: FastifyInstance, options: AuthenticateOptions): void {
  app.addHook('onRequest', async (request) => {
    request.requester = await findRequester(request, options);
  });
}

async function findRequester(request: FastifyRequest, { sessions, cookie }: AuthenticateOptions) {
  const secret = cookie.read(request);
  const session = secret === undefined ? undefined : await sessions.find(secret);
  if (session === undefined) throw new Refusal('unauthenticated', 'Nobody is signed in.');
  const { id, email, role, cellars } = session.administrator;
  const requester: Requester = {
    actor: { id, name: email, address: request.ip },
    ...{ role, cellars, session },
  };
  return requester;
}
