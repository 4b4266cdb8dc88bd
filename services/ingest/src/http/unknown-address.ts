import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Answers } from './answers.ts';

/** 404 and 405, before any body is read. Call it before the routes are registered: it learns their methods. */
export function refuseUnknownAddresses(app: FastifyInstance, answers: Answers): void {
  const methodsByPath = new Map<string, string>();
  app.addHook('onRoute', ({ url, method }) => {
    const methods = [methodsByPath.get(url) ?? [], method].flat();
    methodsByPath.set(url, methods.join(', '));
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
