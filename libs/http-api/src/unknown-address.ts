import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Refusal } from './refusal.ts';

/** Addresses that no route has, and that are something to read all the same. */
export interface Pages {
  isPage(path: string): boolean;
  send(reply: FastifyReply): Promise<FastifyReply>;
}

/**
 * 404 and 405, before any body is read. Call it before the routes are registered: it learns their methods.
 *
 * @param pages answered instead of 404, with GET and HEAD
 */
export function refuseUnknownAddresses(app: FastifyInstance, pages?: Pages): void {
  const routes = new Map<string, { matches: RegExp; methods: Set<string> }>();
  app.addHook('onRoute', (route) => {
    const known = routes.get(route.url) ?? { matches: toPattern(route.url), methods: new Set<string>() };
    for (const method of [route.method].flat()) known.methods.add(method);
    routes.set(route.url, known);
  });

  async function refuse(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const path = request.url.split('?', 1)[0] ?? '';
    const methods = [...routes.values()].flatMap((route) =>
      route.matches.test(path) ? [...route.methods] : [],
    );
    // A file that is not there comes here too, though its address takes the method.
    if (methods.length === 0 || methods.includes(request.method)) {
      const isReading = request.method === 'GET' || request.method === 'HEAD';
      if (isReading && pages?.isPage(path) === true) return pages.send(reply);
      throw new Refusal('not_found', 'There is nothing at this address.');
    }
    const allowed = [...new Set(methods)].join(', ');
    reply.header('allow', allowed);
    throw new Refusal('method_not_allowed', `This address takes ${allowed} only.`);
  }

  // A plugin of its own, so that its hook runs for unknown addresses only.
  app.register(async (unknown) => {
    unknown.addHook('onRequest', refuse);
    // Fastify wants a handler too; the hook has answered before it.
    unknown.setNotFoundHandler(refuse);
  });
}

/** `/api/v1/cellars/:cellar` as an expression. Of the signs in our addresses, only dots and stars mean something else in one. */
function toPattern(url: string): RegExp {
  return new RegExp(
    `^${url
      .replaceAll('.', '\\.')
      .replaceAll('*', '.*')
      .replaceAll(/:[^/]+/g, '[^/]+')}$`,
  );
}
