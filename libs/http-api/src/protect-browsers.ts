import type { FastifyReply, FastifyRequest } from 'fastify';

/** A year, as browsers ask for it who keep a list of such hosts. Of this host alone: what else shares the domain is not ours. */
const ALWAYS_HTTPS = 'max-age=31536000';

/**
 * What every answer tells a browser that somebody has led to it: to take it for nothing else than its `Content-Type` says, to run
 * and frame nothing of it, to name it to nobody, and, once it came by HTTPS, never to come otherwise. A page of our own says more.
 */
export async function protectBrowsers(request: FastifyRequest, reply: FastifyReply): Promise<void> {
  reply.headers(browserHeaders(request.protocol === 'https'));
}

/** The same for responses that are sent past the hook, such as those to paths that cannot be read. */
export function browserHeaders(isHttps: boolean): Record<string, string> {
  return {
    'x-content-type-options': 'nosniff',
    'content-security-policy': "default-src 'none'; base-uri 'none'; frame-ancestors 'none'",
    'referrer-policy': 'no-referrer',
    ...(isHttps ? { 'strict-transport-security': ALWAYS_HTTPS } : {}),
  };
}
