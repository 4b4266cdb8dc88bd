import { isUtf8 } from 'node:buffer';
import type { FastifyInstance } from 'fastify';
import { ApiError } from '@cellarman/http-api';

/**
 * Only JSON is read: a form, which any page can send anywhere, is rejected. An empty body is none, whatever its
 * type, since many clients name one with every POST.
 */
export function readOnlyJson(app: FastifyInstance): void {
  const parse = app.getDefaultJsonParser('error', 'error');
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, body: Buffer, done) => {
    if (body.length === 0) done(null, undefined);
    else if (!isUtf8(body)) done(new ApiError('invalid_json', 'The body is not valid UTF-8'));
    else void parse(request, body.toString(), rejectUnpairedSurrogates(done));
  });
}

type Done = (error: Error | null, body?: unknown) => void;

/** Half of a surrogate pair, which only an escape can write, has no UTF-8: PostgreSQL would store another character. */
function rejectUnpairedSurrogates(done: Done): Done {
  return (error, body) => {
    if (error !== null || isWellFormed(body)) done(error, body);
    else done(new ApiError('invalid_json', 'A string in the body has an unpaired surrogate'));
  };
}

/** Without recursion: lists may be nested ten thousand deep. */
function isWellFormed(body: unknown): boolean {
  const rest = [body];
  while (rest.length > 0) {
    const value = rest.pop();
    if (typeof value === 'string' && !value.isWellFormed()) return false;
    if (typeof value !== 'object' || value === null) continue;
    for (const [key, member] of Object.entries(value)) rest.push(key, member);
  }
  return true;
}
