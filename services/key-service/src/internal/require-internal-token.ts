import { createHash, timingSafeEqual } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import { Refusal } from '../http/refusal.ts';

/** Everything that is registered on `app` after this needs the token that the services share. */
export function requireInternalToken(app: FastifyInstance, token: string): void {
  const expected = digest(`Bearer ${token}`);
  app.addHook('onRequest', async (request) => {
    // Hashed first: the comparison takes the same time whatever is sent, and however long it is.
    if (!timingSafeEqual(digest(request.headers.authorization ?? ''), expected)) {
      throw new Refusal('unauthenticated', 'The internal token is missing or wrong.');
    }
  });
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
