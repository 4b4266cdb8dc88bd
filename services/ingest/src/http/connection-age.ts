import type { Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { performance } from 'node:perf_hooks';

/** Connections that begin together must not end together. */
const JITTER = 0.2;

interface Connection {
  closeAt: number;
  /** The response that closes it. */
  last?: ServerResponse;
}

export interface ConnectionAgeOptions {
  maxAgeMs: number;
  /** Milliseconds on any clock. */
  now?: () => number;
}

/**
 * Lets connections move to other replicas: the first response after their maximum age has `Connection: close`. The age
 * begins with the first request. An idle connection stays open until then or until the keep-alive timeout.
 */
export function limitConnectionAge(
  server: Server,
  { maxAgeMs, now = performance.now.bind(performance) }: ConnectionAgeOptions,
): void {
  if (maxAgeMs === 0) return;
  const connections = new WeakMap<Socket, Connection>();

  server.prependListener('request', ({ socket }, response) => {
    const connection = connections.get(socket);
    if (connection === undefined) {
      connections.set(socket, { closeAt: now() + maxAgeMs * (1 - JITTER + 2 * JITTER * Math.random()) });
      return;
    }
    if (now() < connection.closeAt) return;
    // A pipelined request: the connection stays open for its response.
    if (connection.last?.headersSent === false) connection.last.shouldKeepAlive = true;
    connection.last = response;
    response.shouldKeepAlive = false;
  });
}
