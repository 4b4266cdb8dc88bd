import { abortOnDisconnect, ApiError, boundStream, notFound } from '@cellarman/http-api';
import type { StreamLimits } from '@cellarman/http-api';
import type { Logger } from '@cellarman/telemetry';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { request as send } from 'undici';
import type { SessionCookie } from '../sessions/session-cookie.ts';
import { responseHeaders, requestHeaders } from './forwarded-headers.ts';
import type { LiveResponses } from './live-responses.ts';
import { createUpstream } from './upstream.ts';

export interface QueryProxyOptions {
  /** Base URL of the query service; without it, readings cannot be read here. */
  queryUrl?: string | undefined;
  /** A client that reads slowly holds a connection to query. */
  streamLimits: StreamLimits;
  liveResponses: LiveResponses;
  cookie: SessionCookie;
  logger: Logger;
}

const PATH = '/api/v1/query/*';
/** Streams of new readings have connections of their own, since each lasts. */
const LIVE = /^\/api\/v1\/query\/cellars\/[^/?]+\/live(\?|$)/;
/** Longer than a query may wait and run, so that the words of the query service arrive. */
const HEADERS_MS = 30_000;
/** Maximum time between two chunks of a long response. A live stream sends a chunk every 15 seconds. */
const SILENCE_MS = 45_000;
const MAX_CONNECTIONS = 100;
/** Of them, and of the streams of new readings, those of one session or key. */
const MAX_OF_ONE = 25;

/**
 * Forwards queries for readings, so that the dashboard has one origin. The query service authorizes them itself: nothing is
 * added here that it would have to trust.
 */
export async function queryProxy(app: FastifyInstance, options: QueryProxyOptions): Promise<void> {
  const { queryUrl, streamLimits, liveResponses, cookie, logger } = options;
  if (queryUrl === undefined) {
    app.get(PATH, { schema: { hide: true } }, async () => {
      throw new ApiError('unavailable', 'This installation has no query service: QUERY_URL is not set');
    });
    return;
  }
  const base = queryUrl.replace(/\/+$/, '');
  const timeouts = { headersMs: HEADERS_MS, silenceMs: SILENCE_MS, connectionsOfOne: MAX_OF_ONE };
  const queries = createUpstream({ ...timeouts, connections: MAX_CONNECTIONS });
  const live = createUpstream({ ...timeouts, connections: liveResponses.max });
  app.addHook('onClose', () => Promise.all([queries, live].map(({ agent }) => agent.destroy())));

  app.get(PATH, { schema: { hide: true } }, async (request, reply) => {
    const left = abortOnDisconnect(reply);
    const path = pathOf(request);
    const isLive = LIVE.test(path);
    if (isLive) liveResponses.admit();
    const { agent, take } = isLive ? live : queries;
    const release = take(credentialsOf(request, cookie));
    reply.raw.once('close', release);
    boundStream(reply, streamLimits, (reason) =>
      logger.info({ reason }, 'a response from query was truncated'),
    );
    const response = await send(`${base}${path}`, {
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
    reply.code(response.statusCode).headers(responseHeaders(response.headers));
    return reply.send(isLive ? liveResponses.add(response.body) : response.body);
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
