import { createHash, timingSafeEqual } from 'node:crypto';
import { ApiError, declareErrors } from '@cellarman/http-api';
import type { FastifyInstance } from 'fastify';

/** Every route registered on `app` after this requires one of these tokens. Nothing else accepts them. */
export function requireAlertsToken(app: FastifyInstance, tokens: readonly string[]): void {
  const accepted = tokens.map((token) => digest(`Bearer ${token}`));
  declareErrors(app, () => ['unauthenticated']);
  app.addHook('onRequest', async (request) => {
    const given = digest(request.headers.authorization ?? '');
    // Hashed, and compared with each: the comparison takes the same time for every token.
    if (accepted.filter((token) => timingSafeEqual(given, token)).length === 0) {
      throw new ApiError('unauthenticated', 'The token for observations is missing or invalid');
    }
  });
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
