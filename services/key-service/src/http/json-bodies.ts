import { isUtf8 } from 'node:buffer';
import type { FastifyInstance } from 'fastify';
import { Refusal } from './refusal.ts';

/**
 * Only JSON is read: a form, which any page can send anywhere, is refused. An empty body is none, whatever its
 * type, since many clients name one with every POST.
 */
export function readOnlyJson(app: FastifyInstance): void {
  const parse = app.getDefaultJsonParser('error', 'error');
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, body: Buffer, done) => {
    if (body.length === 0) done(null, undefined);
    else if (!isUtf8(body)) done(new Refusal('invalid_json', 'The body is not UTF-8.'));
    else void parse(request, body.toString(), done);
  });
}
