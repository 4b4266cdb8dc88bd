import type { FastifyRequest } from 'fastify';

/** Who is counted for a request without a session. */
export interface Client {
  /** An IP address. */
  address: string;
  /** False: a proxy that nobody has named wrote it down, or the client itself did. */
  isCertain: boolean;
}

export type ClientOf = (request: FastifyRequest) => Client;

/** In TRUSTED_PROXIES: clients connect directly. */
export const NO_PROXIES = 'none';

/**
 * Without TRUSTED_PROXIES, requests with X-Forwarded-For came through an unknown proxy, and all of its clients share one
 * IP address. The last forwarded entry distinguishes them well enough to share capacity between them, but any client that
 * connects directly can forge it, so no limit depends on it alone.
 */
export function createClientOf(trustedProxies: readonly string[]): ClientOf {
  const isConfigured = trustedProxies.length > 0;
  return ({ ip, raw }) => {
    const last = isConfigured
      ? undefined
      : String(raw.headers['x-forwarded-for'] ?? '')
          .split(', ')
          .at(-1);
    return last === undefined || last === ''
      ? { address: ip, isCertain: true }
      : { address: last, isCertain: false };
  };
}
