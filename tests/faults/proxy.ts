import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import type { Socket } from 'node:net';
import { HOST } from '@cellarman/local-stack';

/** What a connection through the proxy meets. */
export type ProxyState =
  | { kind: 'open' }
  /** Connections break, and new ones are closed at once. */
  | { kind: 'cut' }
  /** Connections stand, and nothing arrives any more, as when a cable is pulled. */
  | { kind: 'stalled' }
  /** Each piece arrives so much later. */
  | { kind: 'slow'; delayMs: number };

/** Stands between two processes, to trouble the way from one to the other. */
export interface Proxy {
  /** Goes for what is connected already, too. */
  set(state: ProxyState): void;
  /** Connections that were accepted while it was not open, or troubled by its change: a fault that met none is none. */
  troubled(): number;
  close(): Promise<void>;
}

const OPEN: ProxyState = { kind: 'open' };

export async function startProxy(options: { port: number; upstreamPort: number }): Promise<Proxy> {
  const { port, upstreamPort } = options;
  const sockets = new Set<Socket>();
  let state = OPEN;
  let troubled = 0;

  const server = createServer((client) => {
    if (state.kind !== 'open') troubled += 1;
    if (state.kind === 'cut') {
      client.destroy();
      return;
    }
    const upstream = connect(upstreamPort, HOST);
    join(client, upstream);
    join(upstream, client);
  });

  function join(from: Socket, to: Socket): void {
    sockets.add(from);
    from.on('data', (piece: Buffer) => {
      if (state.kind === 'slow') setTimeout(() => to.write(piece), state.delayMs);
      else if (!to.write(piece)) from.pause();
    });
    from.on('drain', () => {
      if (state.kind !== 'stalled') to.resume();
    });
    from.on('end', () => to.end());
    from.on('error', () => to.destroy());
    from.on('close', () => {
      sockets.delete(from);
      to.destroy();
    });
    if (state.kind === 'stalled') from.pause();
  }

  server.listen(port, HOST);
  await once(server, 'listening');

  return {
    set(next) {
      state = next;
      if (next.kind !== 'open') troubled += sockets.size / 2;
      for (const socket of sockets) {
        if (next.kind === 'cut') socket.destroy();
        else if (next.kind === 'stalled') socket.pause();
        else socket.resume();
      }
    },
    troubled: () => troubled,
    async close() {
      server.close();
      for (const socket of sockets) socket.destroy();
      if (server.listening) await once(server, 'close');
    },
  };
}
