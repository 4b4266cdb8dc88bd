import { once } from 'node:events';
import { connect } from 'node:net';

/** Shorter than the keep-alive timeout of ingest. */
const REQUEST_EVERY_MS = 10_000;

/**
 * Opens connections that are idle but for a request now and then.
 *
 * @returns closes them
 */
export async function keepConnections(url: string, count: number): Promise<() => void> {
  const { hostname, port } = new URL(url);
  const sockets = await Promise.all(
    Array.from({ length: count }, async () => {
      const socket = connect(Number(port), hostname);
      await once(socket, 'connect');
      return socket.on('error', () => undefined).resume();
    }),
  );
  const request = () => {
    for (const socket of sockets) socket.write(`GET /livez HTTP/1.1\r\nhost: ${hostname}\r\n\r\n`);
  };
  request();
  const timer = setInterval(request, REQUEST_EVERY_MS);
  return () => {
    clearInterval(timer);
    for (const socket of sockets) socket.destroy();
  };
}
