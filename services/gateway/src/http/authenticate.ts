import { AUTHENTICATION_ERRORS } from '@cellarman/contracts';
import { endRequests } from '@cellarman/lifecycle';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { LocalKey, LocalKeys } from '../local-keys.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Set by `authenticate`. */
    localKey: LocalKey;
  }
}

/** Rejects requests without a local key, as ingest does. */
export function createAuthenticate(keys: LocalKeys) {
  return function authenticate(request: FastifyRequest, reply: FastifyReply, done: () => void): void {
    // Node joins repeated headers with a comma, which no key contains.
    const text = request.headers['x-api-key'] as string | undefined;
    const key = text === undefined ? undefined : keys.find(text);
    if (key !== undefined) {
      request.localKey = key;
      done();
      return;
    }
    const reason = text === undefined || text === '' ? 'absent' : 'invalid';
    // Nobody reads what a client without a key still sends.
    endRequests(request.raw.socket);
    reply
      .code(401)
      .header('www-authenticate', 'ApiKey header="X-API-Key"')
      .header('connection', 'close')
      .send({ error: AUTHENTICATION_ERRORS[reason], status: 401 });
  };
}
