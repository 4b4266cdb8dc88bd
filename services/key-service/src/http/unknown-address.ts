import type { FastifyReply, FastifyRequest, RouteOptions } from 'fastify';
import { Refusal } from './refusal.ts';

/** 404 and 405. It learns from the routes which methods an address has, so give it `learn` before they are registered. */
export function createUnknownAddress() {
  const routes = new Map<string, { matches: RegExp; methods: Set<string> }>();

  return {
    learn: (route: RouteOptions): void => {
      const known = routes.get(route.url) ?? { matches: toPattern(route.url), methods: new Set<string>() };
      for (const method of [route.method].flat()) known.methods.add(method);
      routes.set(route.url, known);
    },

    handler: (request: FastifyRequest, reply: FastifyReply): never => {
      const path = request.url.split('?', 1)[0] ?? '';
      const methods = [...routes.values()].flatMap((route) =>
        route.matches.test(path) ? [...route.methods] : [],
      );
      if (methods.length === 0) throw new Refusal('not_found', 'There is nothing at this address.');
      const allowed = [...new Set(methods)].join(', ');
      reply.header('allow', allowed);
      throw new Refusal('method_not_allowed', `This address takes ${allowed} only.`);
    },
  };
}

/** `/api/v1/cellars/:cellar` as an expression. Nothing else in our addresses has a meaning in one but the dot. */
function toPattern(url: string): RegExp {
  return new RegExp(`^${url.replaceAll('.', '\\.').replaceAll(/:[^/]+/g, '[^/]+')}$`);
}
