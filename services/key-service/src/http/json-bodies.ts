import type { FastifyInstance } from 'fastify';

/**
 * Only JSON is read: a form, which any page can send anywhere, is refused. An empty body is none, whatever its
 * type, since many clients name one with every POST.
 */
export function readOnlyJson(app: FastifyInstance): void {
  const parse = app.getDefaultJsonParser('error', 'error');
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) => {
    if (body.length === 0) done(null, undefined);
    else void parse(request, body as string, done);
  });
}
