import { notFound } from '@cellarman/http-api';
import { isLiteralPath } from '@cellarman/lifecycle';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

/**
 * Rejects other spellings of a path (`/api/v1/%69ngest`, absolute form) with 404: Fastify decodes them, but the rules of a
 * proxy or firewall in front may not match them. Call it before the routes are registered.
 */
export function requireLiteralPaths(app: FastifyInstance): void {
  app.addHook('onRoute', (route) => {
    const { url, onRequest = [] } = route;

    function requireLiteralPath(
      request: FastifyRequest,
      _reply: FastifyReply,
      done: (error?: Error) => void,
    ): void {
      if (isLiteralPath(request.raw.url, url)) done();
      else done(notFound(request));
    }
    route.onRequest = [requireLiteralPath, ...[onRequest].flat()];
  });
}
