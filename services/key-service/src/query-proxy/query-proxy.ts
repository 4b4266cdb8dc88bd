import { clientLeft } from '@cellarman/http-api';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Agent, request as send } from 'undici';
import { Refusal } from '../http/refusal.ts';
import { answerHeaders, requestHeaders } from './forwarded-headers.ts';

export interface QueryProxyOptions {
  /** Base address of the query service; without it nothing can be read here. */
  queryUrl?: string | undefined;
}

const PATH = '/api/v1/query/*';
/** Longer than a query may wait and run, so that the words of the query service arrive. */
const ANSWER_MS = 30_000;
const CONNECT_MS = 2_000;
/** Between two parts of a long answer. */
const SILENCE_MS = 30_000;
const MAX_CONNECTIONS = 100;

/**
 * Passes questions for readings on, so that the dashboard has one origin. The query service decides by itself who may read:
 * nothing is added here that it would have to believe.
 */
export async function queryProxy(app: FastifyInstance, { queryUrl }: QueryProxyOptions): Promise<void> {
  if (queryUrl === undefined) {
    app.get(PATH, { schema: { hide: true } }, async () => {
      throw new Refusal('unavailable', 'This installation has no query service: QUERY_URL is not set.');
    });
    return;
  }
  const base = queryUrl.replace(/\/+$/, '');
  const agent = new Agent({
    connections: MAX_CONNECTIONS,
    connect: { timeout: CONNECT_MS },
    headersTimeout: ANSWER_MS,
    bodyTimeout: SILENCE_MS,
  });
  app.addHook('onClose', () => agent.destroy());

  app.get(PATH, { schema: { hide: true } }, async (request, reply) => {
    const left = clientLeft(reply);
    const answer = await send(`${base}${pathOf(request)}`, {
      method: request.method === 'HEAD' ? 'HEAD' : 'GET',
      headers: requestHeaders(request.headers),
      dispatcher: agent,
      signal: left,
    }).catch((cause: unknown) => {
      if (left.aborted) throw new Refusal('request_timeout', 'The client has left.', { cause });
      throw new Refusal(
        'unavailable',
        'The query service does not answer. Readings are still being stored.',
        {
          cause,
        },
      );
    });
    return reply.code(answer.statusCode).headers(answerHeaders(answer.headers)).send(answer.body);
  });
}

/** As it came, without dots that would lead elsewhere: the router has matched the text, and a URL is resolved. */
function pathOf(request: FastifyRequest): string {
  const { url } = request;
  const resolved = new URL(url, 'http://query');
  const isWithin = resolved.host === 'query' && resolved.pathname.startsWith('/api/v1/query/');
  if (!isWithin) throw new Refusal('not_found', 'There is nothing at this address.');
  return `${resolved.pathname}${resolved.search}`;
}
