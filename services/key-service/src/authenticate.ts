import type { FastifyInstance, FastifyRequest } from 'fastify';
import { ApiError, declareErrors } from '@cellarman/http-api';
import type { SessionCookie } from './sessions/session-cookie.ts';
import type { Sessions } from './sessions/sessions.ts';
import type { ServiceToken } from './tokens/find-tokens.ts';
import { bearerTokenIn } from './tokens/token-format.ts';
import type { Tokens } from './tokens/tokens.ts';
import type { Requester } from './access/requester.ts';

export interface AuthenticateOptions {
  sessions: Sessions;
  cookie: SessionCookie;
  tokens: Pick<Tokens, 'find'>;
}

/** Requires a session or a service token for every route registered on `app` after this. */
export function authenticate(app: FastifyInstance, options: AuthenticateOptions): void {
  declareErrors(app, () => ['unauthenticated', 'unavailable']);
  app.addHook('onRequest', async (request) => {
    request.requester = await findRequester(request, options);
  });
}

async function findRequester(request: FastifyRequest, options: AuthenticateOptions): Promise<Requester> {
  const { sessions, cookie, tokens } = options;
  const token = bearerTokenIn(request.headers.authorization);
  // A token takes precedence, even an invalid one: the cookie is ignored then.
  if (token !== undefined) return requesterWith(await tokens.find(token), request.ip);
  const secret = cookie.read(request);
  const session = secret === undefined ? undefined : await sessions.find(secret, request.headers);
  if (session === undefined) throw new ApiError('unauthenticated', 'Not signed in');
  const { id, email, role, cellars } = session.user;
  return { actor: { id, name: email, address: request.ip }, role, cellars, session };
}

function requesterWith(token: ServiceToken | undefined, address: string): Requester {
  if (token === undefined)
    throw new ApiError('unauthenticated', 'The service token is invalid, expired or revoked');
  const { id: tokenId, name, role, cellars } = token;
  return { actor: { id: null, tokenId, name, address }, role, cellars, session: null };
}
