import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';
import { HOST } from './ports.ts';

/** What happens to connections through the proxy. */
export type ProxyState =
  | { kind: 'open' }
  /** Connections break, and new ones are closed immediately. */
  | { kind: 'cut' }
  /** Connections stay open, and nothing arrives any more, as when a cable is pulled. */
  | { kind: 'stalled' }
  /** Each piece arrives later. */
  | { kind: 'slow'; delayMs: number }
  /** All connections together carry this much towards the upstream. */
  | { kind: 'narrow'; bytesPerSecond: number };

/** Stands between two processes, for tests of what happens when their connection fails. */
export interface TcpProxy {
  port: number;
  /** Also changes connections that are open. */
  set(state: ProxyState): void;
  /** Cuts open connections, so that no late response comes through, and opens it. */
  reset(): void;
  /** Connections that were accepted while it was not open, or open when it changed. A test with none has tested nothing. */
  affected(): number;
  close(): Promise<void>;
}

/** A narrow proxy stops reading from its clients while this much waits in it. */
const MAX_WAITING_MS = 20;

/** @param options.port a free one by default */
export async function startTcpProxy(options: { port?: number; upstreamPort: number }): Promise<TcpProxy> {
  const sockets = new Set<Socket>();
  let state: ProxyState = { kind: 'open' };
  let affected = 0;
  let freeAt = 0;

  const server = createServer({ highWaterMark: 16_384 }, (client) => {
    if (state.kind !== 'open') affected += 1;
    if (state.kind === 'cut') {
      client.destroy();
      return;
    }
    const upstream = connect(options.upstreamPort, HOST);
    carry(client, upstream, true);
    carry(upstream, client, false);
  });

  /** When a piece that has just come is to be sent on. */
  function dueAt(bytes: number, isTowardsUpstream: boolean): number {
    const now = performance.now();
    if (state.kind === 'slow') return now + state.delayMs;
    if (state.kind !== 'narrow' || !isTowardsUpstream) return now;
    freeAt = Math.max(now, freeAt) + (bytes * 1_000) / state.bytesPerSecond;
    return freeAt;
  }

  function carry(from: Socket, to: Socket, isTowardsUpstream: boolean): void {
    const waiting: Buffer[] = [];
    let lastAt = 0;
    const resume = () => state.kind !== 'stalled' && from.resume();
    sockets.add(from);
    from.on('data', (piece: Buffer) => {
      // In order, also when the state changes meanwhile.
      lastAt = Math.max(lastAt, dueAt(piece.length, isTowardsUpstream));
      const waitMs = lastAt - performance.now();
      if (waitMs <= 0 && waiting.length === 0) {
        if (!to.write(piece)) from.pause();
        return;
      }
      waiting.push(piece);
      setTimeout(() => to.write(waiting.shift() as Buffer), Math.max(0, waitMs));
      if (state.kind !== 'narrow' || waitMs < MAX_WAITING_MS) return;
      from.pause();
      setTimeout(resume, waitMs);
    });
    to.on('drain', resume);
    from.on('end', () => setTimeout(() => to.end(), Math.max(0, lastAt - performance.now())));
    from.on('error', () => to.destroy());
    from.on('close', () => {
      sockets.delete(from);
      to.destroy();
    });
    if (state.kind === 'stalled') from.pause();
  }

  server.listen(options.port ?? 0, HOST);
  await once(server, 'listening');

  function set(next: ProxyState): void {
    state = next;
    if (next.kind !== 'open') affected += sockets.size / 2;
    for (const socket of sockets) {
      if (next.kind === 'cut') socket.destroy();
      else if (next.kind === 'stalled') socket.pause();
      else socket.resume();
    }
  }

  return {
    port: (server.address() as AddressInfo).port,
    set,
    reset() {
      set({ kind: 'cut' });
      set({ kind: 'open' });
    },
    affected: () => affected,
    async close() {
      server.close();
      for (const socket of sockets) socket.destroy();
      if (server.listening) await once(server, 'close');
    },
  };
}

export interface UrlProxy extends TcpProxy {
  /** Leads through the proxy. */
  url: string;
}

/** Starts a proxy in front of a server on this machine. */
export async function startTcpProxyFor(upstreamUrl: string): Promise<UrlProxy> {
  const url = new URL(upstreamUrl);
  const proxy = await startTcpProxy({ upstreamPort: Number(url.port) });
  url.host = `${HOST}:${proxy.port}`;
  return { ...proxy, url: url.href };
}
