import { abortOnDisconnect, ApiError, boundStream, notFound } from '@cellarman/http-api';
import type { StreamLimits } from '@cellarman/http-api';
import type { Logger } from '@cellarman/telemetry';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Agent, request as send } from 'undici';
import type { SessionCookie } from '../sessions/session-cookie.ts';
import { answerHeaders, requestHeaders } from './forwarded-headers.ts';

export interface QueryProxyOptions {
  /** Base address of the query service; without it nothing can be read here. */
  queryUrl?: string | undefined;
  /** A client that reads slowly holds a connection to query. */
  streamLimits: StreamLimits;
  cookie: SessionCookie;
  logger: Logger;
}

const PATH = '/api/v1/query/*';
/** Longer than a query may wait and run, so that the words of the query service arrive. */
const ANSWER_MS = 30_000;
const CONNECT_MS = 2_000;
/** Between two parts of a long answer. */
const SILENCE_MS = 30_000;
const MAX_CONNECTIONS = 100;
/** Of them, those of one session or key. */
const MAX_CONNECTIONS_OF_ONE = 25;

/**
 * Passes questions for readings on, so that the dashboard has one origin. The query service decides by itself who may read:
 * nothing is added here that it would have to believe.
 */
export async function queryProxy(app: FastifyInstance, options: QueryProxyOptions): Promise<void> {
  const { queryUrl, streamLimits, cookie, logger } = options;
  if (queryUrl === undefined) {
    app.get(PATH, { schema: { hide: true } }, async () => {
      throw new ApiError('unavailable', 'This installation has no query service: QUERY_URL is not set');
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

  const held = new Map<string, number>();
  function takeConnection(credentials: string): () => void {
    const count = held.get(credentials) ?? 0;
    if (count >= MAX_CONNECTIONS_OF_ONE) {
      throw new ApiError('unavailable', 'Too many concurrent queries. Try again.');
    }
    held.set(credentials, count + 1);
    return () => {
      const left = (held.get(credentials) ?? 1) - 1;
      if (left === 0) held.delete(credentials);
      else held.set(credentials, left);
    };
  }

  app.get(PATH, { schema: { hide: true } }, async (request, reply) => {
    const left = abortOnDisconnect(reply);
    const release = takeConnection(credentialsOf(request, cookie));
    reply.raw.once('close', release);
    boundStream(reply, streamLimits, (reason) => logger.info({ reason }, 'a response of query was cut off'));
    const answer = await send(`${base}${pathOf(request)}`, {
      method: request.method === 'HEAD' ? 'HEAD' : 'GET',
      headers: requestHeaders(request.headers),
      dispatcher: agent,
      signal: left,
    }).catch((cause: unknown) => {
      if (left.aborted) throw new ApiError('request_timeout', 'The client closed the connection', { cause });
      throw new ApiError(
        'unavailable',
        'The query service is not available. Readings are still being stored.',
        {
          cause,
        },
      );
    });
    return reply.code(answer.statusCode).headers(answerHeaders(answer.headers)).send(answer.body);
  });
}

/** What query will authenticate by. */
function credentialsOf(request: FastifyRequest, cookie: SessionCookie): string {
  const apiKey = request.headers['x-api-key'];
  return typeof apiKey === 'string' && apiKey !== '' ? apiKey : (cookie.read(request) ?? '');
}

/** As it came, without dots that would lead elsewhere: the router has matched the text, and a URL is resolved. */
function pathOf(request: FastifyRequest): string {
  const { url } = request;
  const resolved = new URL(url, 'http://query');
  const isWithin = resolved.host === 'query' && resolved.pathname.startsWith('/api/v1/query/');
  if (!isWithin) throw notFound(request);
  return `${resolved.pathname}${resolved.search}`;
}
