import type { FastifyInstance } from 'fastify';

/** Bodies stay bytes: the scanner reads them, and nothing else parses or copies them into text. */
export function readBodiesAsBytes(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (_request, body, done) =>
    done(null, body),
  );
}

/** For a route that reads its bodies itself, in pieces. */
export function leaveBodiesAlone(routes: FastifyInstance): void {
  routes.removeAllContentTypeParsers();
  routes.addContentTypeParser('*', (_request, _body, done) => done(null));
}
