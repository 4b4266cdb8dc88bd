import { createHash, timingSafeEqual } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import { ApiError, declareErrors } from '@cellarman/http-api';
import { CALLERS } from './internal-tokens.ts';
import type { Caller, InternalTokens } from './internal-tokens.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The services that may call an internal route. */
    callers?: readonly Caller[];
  }
}

/** Every route that is registered on `app` after this must name its callers, and lets in nobody else. */
export function requireInternalToken(app: FastifyInstance, tokens: InternalTokens): void {
  const accepted = [...CALLERS, 'shared' as const].flatMap((caller) =>
    tokens[caller].map((token) => ({ caller, digest: digest(`Bearer ${token}`) })),
  );

  function callerOf(authorization: string): Caller | 'shared' | undefined {
    const given = digest(authorization);
    // Hashed, and compared with each: the comparison takes the same time whatever is sent, and however long it is.
    return accepted.filter((entry) => timingSafeEqual(given, entry.digest))[0]?.caller;
  }

  app.addHook('onRoute', ({ method, url, config }) => {
    if (config?.callers === undefined) throw new Error(`${String(method)} ${url} does not name its callers`);
  });
  declareErrors(app, () => ['unauthenticated', 'forbidden']);
  app.addHook('onRequest', async (request) => {
    const caller = callerOf(request.headers.authorization ?? '');
    if (caller === undefined) {
      throw new ApiError('unauthenticated', 'The internal token is missing or wrong');
    }
    if (caller !== 'shared' && request.routeOptions.config.callers?.includes(caller) !== true) {
      throw new ApiError('forbidden', `The token of ${caller} does not allow this route`);
    }
  });
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
