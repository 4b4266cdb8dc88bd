import { isLiteralPath } from '@cellarman/lifecycle';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Answers } from './answers.ts';

/**
 * 404 and 405, before any body is read. Call it before the routes are registered: it learns their methods.
 *
 * Other spellings of a path (`/api/v1/%69ngest`, absolute form) are 404 too: Fastify decodes them, but the rules of a
 * proxy or firewall in front may not match them.
 */
export function refuseUnknownAddresses(app: FastifyInstance, answers: Answers): void {
  const methodsByPath = new Map<string, string>();
  app.addHook('onRoute', (route) => {
    const { url, method, onRequest = [] } = route;
    const methods = [methodsByPath.get(url) ?? [], method].flat();
    methodsByPath.set(url, methods.join(', '));

    function requireLiteralPath(request: FastifyRequest, reply: FastifyReply, done: () => void): void {
      if (isLiteralPath(request.raw.url, url)) done();
      else answers.refuseAndClose(reply, 'not_found', 'There is nothing at this address');
    }
    route.onRequest = [requireLiteralPath, ...[onRequest].flat()];
  });

  function refuse(request: FastifyRequest, reply: FastifyReply): void {
    const [path = ''] = request.url.split('?', 1);
    const allowed = methodsByPath.get(path);
    if (allowed === undefined) {
      answers.refuseAndClose(reply, 'not_found', 'There is nothing at this address');
      return;
    }
    reply.header('allow', allowed);
    answers.refuseAndClose(reply, 'method_not_allowed', `This address takes ${allowed} only`);
  }

  // A plugin of its own, so that its hook runs for unknown addresses only.
  app.register((unknown, _options, done) => {
    unknown.addHook('onRequest', refuse);
    // Fastify wants a handler too; the hook has answered before it.
    unknown.setNotFoundHandler(refuse);
    done();
  });
}
