import type { Server } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import type { Readiness } from './readiness.ts';

export interface GracefulHttpStopOptions {
  readiness: Readiness;
  /** How long load balancers may take to notice that the process is not ready; it serves until then. */
  deregistrationDelayMs: number;
  /**
   * How long requests in progress may take after that. Then their connections are cut:
   * they have no response yet, so nothing acknowledged is lost.
   */
  drainMs: number;
  /** Called when no new request comes in: ends responses that would last. */
  onDrain?: () => void;
}

/**
 * Not ready, serve on with `Connection: close`, stop listening, let requests finish, close the app.
 *
 * New requests never meet a closed door while a load balancer still sends them.
 */
export async function gracefulHttpStop(
  app: FastifyInstance,
  options: GracefulHttpStopOptions,
): Promise<void> {
  const { readiness, deregistrationDelayMs, drainMs, onDrain } = options;
  const { server } = app;
  readiness.set('process', false, 'shutting down');

  // A client that keeps its connection would not see the load balancer's new choice.
  server.prependListener('request', (_request, response) => {
    response.shouldKeepAlive = false;
  });
  await delay(deregistrationDelayMs);

  // The server is closed before fastify: app.close() would reject the requests that still come in
  // on open connections with a 503 in a shape of its own.
  const drained = drain(server, drainMs);
  onDrain?.();
  await drained;
  await app.close();
}

async function drain(server: Server, drainMs: number): Promise<void> {
  if (!server.listening) return;
  // Requests that began before the stop keep their connection open after their response.
  const closeIdle = setInterval(() => server.closeIdleConnections(), 20);
  // To Node, a connection that never sent a request is busy too: it is cut here at the latest.
  const cut = setTimeout(() => server.closeAllConnections(), drainMs);
  try {
    await new Promise<void>((resolve, reject) => {
      server.close((error) => (error === undefined ? resolve() : reject(error)));
    });
  } finally {
    clearInterval(closeIdle);
    clearTimeout(cut);
  }
}
