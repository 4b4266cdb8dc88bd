import type { FastifyReply, FastifyRequest } from 'fastify';

/** One year, the minimum for preload lists. Without subdomains: other services may share the domain. */
const ALWAYS_HTTPS = 'max-age=31536000';

/**
 * Sets headers for a browser that a link has led here: no content sniffing, no scripts, no frames, no referrer, and HTTPS only
 * after the first response over HTTPS. Pages override the content security policy.
 */
export async function protectBrowsers(request: FastifyRequest, reply: FastifyReply): Promise<void> {
  reply.headers(browserHeaders(request.protocol === 'https'));
}

/** The same headers for responses that bypass the hook, such as those to malformed paths. */
export function browserHeaders(isHttps: boolean): Record<string, string> {
  return {
    'x-content-type-options': 'nosniff',
    'content-security-policy': "default-src 'none'; base-uri 'none'; frame-ancestors 'none'",
    'referrer-policy': 'no-referrer',
    ...(isHttps ? { 'strict-transport-security': ALWAYS_HTTPS } : {}),
  };
}
