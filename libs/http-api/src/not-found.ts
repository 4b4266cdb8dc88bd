import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { ApiError } from './api-error.ts';
import { isRead } from './declare-errors.ts';

/** Paths without a route that have a page all the same. */
export interface Pages {
  isPage(path: string): boolean;
  send(reply: FastifyReply): Promise<FastifyReply>;
}

/**
 * Rejects unknown routes with 404 or 405 before any body is read. Call it before the routes are registered: it collects
 * their methods.
 *
 * @param pages sent instead of 404, for GET and HEAD
 */
export function rejectUnknownRoutes(app: FastifyInstance, pages?: Pages): void {
  const routes = new Map<string, { matches: RegExp; methods: Set<string> }>();
  app.addHook('onRoute', (route) => {
    const known = routes.get(route.url) ?? { matches: toPattern(route.url), methods: new Set<string>() };
    for (const method of [route.method].flat()) known.methods.add(method);
    routes.set(route.url, known);
  });

  /** Undefined: the path has a page. */
  function problemOf(request: FastifyRequest, reply: FastifyReply): ApiError | undefined {
    const path = request.url.split('?', 1)[0] ?? '';
    const methods = [...routes.values()].flatMap((route) =>
      route.matches.test(path) ? [...route.methods] : [],
    );
    // A missing file comes here too, though its path has this method.
    if (methods.length === 0 || methods.includes(request.method)) {
      return isRead(request.method) && pages?.isPage(path) === true ? undefined : notFound(request);
    }
    const allowed = [...new Set(methods)].join(', ');
    reply.header('allow', allowed);
    return new ApiError('method_not_allowed', `Method not allowed. Use ${allowed}`);
  }

  // A plugin of its own, so that its hook runs for unknown routes only.
  app.register(async (unknown) => {
    // With a callback: an error handler that closes the connection must run before a pipelined request is parsed.
    unknown.addHook('onRequest', (request, reply, done) => done(problemOf(request, reply)));
    unknown.setNotFoundHandler(async (request, reply) => {
      const problem = problemOf(request, reply);
      if (problem !== undefined || pages === undefined) throw problem ?? notFound(request);
      return pages.send(reply);
    });
  });
}

/** The path belongs to no route. Unlike a missing resource, no route declares it. */
export class RouteNotFound extends ApiError {}

export function notFound({ method, url }: Pick<FastifyRequest, 'method' | 'url'>): RouteNotFound {
  return new RouteNotFound('not_found', `Not found: no route for ${method} ${url.split('?', 1)[0] ?? ''}`);
}

/**
 * `/api/v1/cellars/:cellar` as a regular expression. A parameter may have one of its own, as in `:id(^\d+$)`. Of the other
 * characters in our paths, only dots and stars are special in one.
 */
function toPattern(url: string): RegExp {
  return new RegExp(
    `^${url
      .replaceAll('.', '\\.')
      .replaceAll('*', '.*')
      .replaceAll(/:[^/(]+(?:\(\^([^/]+)\$\))?/g, (_, own: string | undefined) => own ?? '[^/]+')}$`,
  );
}
