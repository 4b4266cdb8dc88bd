import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';
import { HOST } from '@cellarman/local-stack';

/** A stable URL in front of changing backends, as a Service of Kubernetes. */
export interface Switch {
  url: string;
  /** Cuts what is connected: everybody comes back to the new one. */
  to(url: string): void;
  close(): Promise<void>;
}

export async function startSwitch(): Promise<Switch> {
  let target: URL | undefined;
  const sockets = new Set<Socket>();
  const server = createServer((client) => {
    if (target === undefined) return void client.destroy();
    const upstream = connect({ host: target.hostname, port: Number(target.port) });
    for (const [socket, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(socket);
      socket.on('error', () => other.destroy());
      socket.on('close', () => {
        sockets.delete(socket);
        other.destroy();
      });
      socket.pipe(other);
    }
  });
  server.listen(0, HOST);
  await once(server, 'listening');
  const cut = (): void => sockets.forEach((socket) => void socket.destroy());
  return {
    url: `http://${HOST}:${(server.address() as AddressInfo).port}`,
    to(url) {
      target = new URL(url);
      cut();
    },
    async close() {
      server.close();
      cut();
      await once(server, 'close');
    },
  };
}
