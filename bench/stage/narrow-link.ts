import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import type { Socket } from 'node:net';

const HOST = '127.0.0.1';
/** What may wait in the link before its sender is not read any more. */
const MAX_WAITING_MS = 20;

/** A way to a broker that carries so many bytes in a second towards it, whoever sends them. At first it is not narrow. */
export interface NarrowLink {
  narrow(bytesPerSecond: number): void;
  close(): Promise<void>;
}

export async function startNarrowLink(options: { port: number; upstreamPort: number }): Promise<NarrowLink> {
  const sockets = new Set<Socket>();
  let bytesPerSecond = Infinity;
  let freeAt = 0;

  function carry(from: Socket, to: Socket): void {
    from.on('data', (piece: Buffer) => {
      const now = performance.now();
      freeAt = Math.max(now, freeAt) + (piece.length * 1_000) / bytesPerSecond;
      setTimeout(() => to.write(piece), freeAt - now);
      if (freeAt - now < MAX_WAITING_MS) return;
      from.pause();
      setTimeout(() => from.resume(), freeAt - now);
    });
  }
  function keep(socket: Socket, other: Socket): void {
    sockets.add(socket);
    socket.on('error', () => other.destroy());
    socket.on('close', () => {
      sockets.delete(socket);
      other.destroy();
    });
  }

  const server = createServer({ highWaterMark: 16_384 }, (client) => {
    const upstream = connect(options.upstreamPort, HOST);
    keep(client, upstream);
    keep(upstream, client);
    carry(client, upstream);
    upstream.pipe(client);
  });
  server.listen(options.port, HOST);
  await once(server, 'listening');
  return {
    narrow(rate) {
      bytesPerSecond = rate;
    },
    async close() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}
