import { isLiteralPath } from '@cellarman/lifecycle';
import type { FastifyRequest } from 'fastify';
import { notFound } from '@cellarman/http-api';

/** What a proxy in front keeps from the outside, by its address. */
const CLOSED = /^\/(?:internal\/|livez$|readyz$|metrics$)/;

/**
 * Lets nobody reach what is closed to the outside by another spelling, such as `/%6Detrics`: the router decodes an address,
 * a proxy that decides by it may not.
 *
 * @throws {ApiError} `not_found`
 */
export async function requireLiteralPath(request: FastifyRequest): Promise<void> {
  const { url, routeOptions } = request;
  if (routeOptions.url === undefined || !CLOSED.test(routeOptions.url)) return;
  if (!isLiteralPath(url, routeOptions.url)) throw notFound(request);
}
