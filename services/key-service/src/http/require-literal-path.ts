import { isLiteralPath } from '@cellarman/lifecycle';
import type { FastifyRequest } from 'fastify';
import { notFound } from '@cellarman/http-api';

/** Paths that a proxy in front blocks for external clients. */
const CLOSED = /^\/(?:internal\/|livez$|readyz$|metrics$)/;

/**
 * Prevents access to internal paths by another encoding, such as `/%6Detrics`: the router decodes a path, a proxy that filters
 * by it may not.
 *
 * @throws {ApiError} `not_found`
 */
export async function requireLiteralPath(request: FastifyRequest): Promise<void> {
  const { url, routeOptions } = request;
  if (routeOptions.url === undefined || !CLOSED.test(routeOptions.url)) return;
  if (!isLiteralPath(url, routeOptions.url)) throw notFound(request);
}
