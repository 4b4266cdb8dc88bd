import type { FastifyInstance } from 'fastify';
import type { ClientOf } from './client.ts';
import { createNetworkLimit } from './network-limit.ts';
import { ApiError, declareErrors, isRead } from '@cellarman/http-api';

/** More than an office behind one IP address needs on a Monday morning, and than the password hashes of one process allow. */
const PER_SECOND = 20;
const BURST = 200;

/**
 * Limits changes that require no authentication, by IP address and before the body is read. GET is not limited: its queries are
 * coalesced into one at a time.
 */
export function limitUnauthenticated(app: FastifyInstance, { clientOf }: { clientOf: ClientOf }): void {
  const limit = createNetworkLimit({ perSecond: PER_SECOND, burst: BURST, clock: () => performance.now() });
  declareErrors(app, ({ method }) => (isRead(method) ? [] : ['rate_limited']));
  app.addHook('onRequest', async (request) => {
    if (isRead(request.method)) return;
    if (limit.take(clientOf(request).address)) return;
    throw new ApiError('rate_limited', 'Too many requests from this network. Retry in a second.', {
      retryAfterSeconds: 1,
    });
  });
}
