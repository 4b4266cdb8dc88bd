import { hasApiKeyFormat, hashApiKey } from '@cellarman/api-key';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Answers } from './http/answers.ts';
import type { Keys } from './key-cache/keys.ts';
import type { KnownKey } from './key-cache/known-key.ts';
import type { ServerClock } from './server-clock.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Set by `authenticate`. */
    apiKey: KnownKey | null;
  }
}

export interface AuthenticateOptions {
  answers: Answers;
  keys: Pick<Keys, 'find'>;
  clock: ServerClock;
}

/** Step 1: who sends. A key that is known answers at once; only an unknown one waits for key-service. */
export function createAuthenticate({ answers, keys, clock }: AuthenticateOptions) {
  function decide(
    key: KnownKey | null,
    request: FastifyRequest,
    reply: FastifyReply,
    done: () => void,
  ): void {
    if (key === null || key.revoked) {
      answers.refuseKey(reply, 'invalid');
      return;
    }
    const now = clock.now();
    if (now >= key.expiresAtMs) {
      answers.refuseKey(reply, 'expired');
      return;
    }
    key.lastUsedMs = now;
    request.apiKey = key;
    done();
  }

  return function authenticate(request: FastifyRequest, reply: FastifyReply, done: () => void): void {
    // Node joins repeated headers with a comma, which no key contains.
    const text = request.raw.headers['x-api-key'] as string | undefined;
    if (text === undefined || text === '') {
      answers.refuseKey(reply, 'absent');
      return;
    }
    if (!hasApiKeyFormat(text)) {
      answers.refuseKey(reply, 'invalid');
      return;
    }
    const found = keys.find(hashApiKey(text));
    if (!(found instanceof Promise)) {
      decide(found, request, reply, done);
      return;
    }
    found.then(
      (key) => decide(key, request, reply, done),
      () => answers.refuseForNow(reply, 'The API key cannot be checked at the moment'),
    );
  };
}
