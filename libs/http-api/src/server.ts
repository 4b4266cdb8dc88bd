import type { Server } from 'node:http';
import { integer } from '@cellarman/config';
import { servedOver } from '@cellarman/tls';
import type { ServerTls } from '@cellarman/tls';
import type { FastifyHttpOptions } from 'fastify';
import { createClientErrorHandler } from './raw-errors.ts';

export interface HttpServerOptions {
  trustedProxies?: string[];
  tls?: ServerTls | undefined;
  /** After how long a connection without a byte in either direction is closed. @default 60_000 */
  silenceMs?: number;
}

/** Longer than any response takes to begin. */
const SILENCE_MS = 60_000;

/** Bounds against slow clients and large requests. */
export function serverOptions({
  trustedProxies = [],
  tls,
  silenceMs = SILENCE_MS,
}: HttpServerOptions): FastifyHttpOptions<Server> {
  return {
    logger: false,
    trustProxy: trustedProxies.length > 0 ? trustedProxies : false,
    bodyLimit: 64 * 1_024,
    requestTimeout: 10_000,
    connectionTimeout: silenceMs,
    keepAliveTimeout: 72_000,
    // Connections that are still open while the process stops are served, with `Connection: close`.
    return503OnClosing: false,
    routerOptions: { maxParamLength: 256 },
    clientErrorHandler: createClientErrorHandler(),
    ...servedOver(tls, {
      headersTimeout: 5_000,
      requestTimeout: 10_000,
      connectionsCheckingInterval: 500,
      // Hosts that differ must not look like one; rejectAmbiguousRequests checks.
      joinDuplicateHeaders: true,
      requireHostHeader: false,
    }),
  };
}

/** The environment variables that bound the connections of a service, and its stop. */
export function serverVariables({ maxConnections }: { maxConnections: number }) {
  return {
    MAX_CONNECTIONS: integer({
      minimum: 1,
      default: maxConnections,
      description: 'Maximum number of open connections; further ones are closed immediately.',
    }),
    ...stopVariables('DEREGISTRATION_DELAY_MS'),
  };
}

/** @param besides the variables of what else takes time of the deadline */
export function stopVariables(besides: string) {
  return {
    DEREGISTRATION_DELAY_MS: integer({
      minimum: 0,
      default: 5_000,
      description:
        'How long to keep serving after SIGTERM, until load balancers have noticed, in milliseconds.',
    }),
    SHUTDOWN_DEADLINE_MS: integer({
      minimum: 1_000,
      default: 25_000,
      description: `Deadline for a graceful stop, in milliseconds. Requests in progress get all of it except ${besides} and 3 s for closing.`,
    }),
  };
}
