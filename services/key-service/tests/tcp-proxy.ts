import { connect, createServer } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';

/** Stands between a service and an engine, so that the engine can seem to hang or to be gone. */
export interface TcpProxy {
  /** The address of the engine with this proxy in place of its host and port. */
  url: string;
  /** Nothing passes any more, in neither direction; connections stay open. */
  pause(): void;
  /** Connections are cut, and new ones refused. */
  cut(): void;
  /** As at first. */
  mend(): void;
  stop(): Promise<void>;
}

export async function startTcpProxy(engineUrl: string): Promise<TcpProxy> {
  const target = new URL(engineUrl);
  const pairs = new Set<[Socket, Socket]>();
  let mode: 'open' | 'paused' | 'cut' = 'open';

  const server = createServer((near) => {
    if (mode === 'cut') {
      near.destroy();
      return;
    }
    const far = connect(Number(target.port), target.hostname);
    const pair: [Socket, Socket] = [near, far];
    pairs.add(pair);
    const end = () => {
      near.destroy();
      far.destroy();
      pairs.delete(pair);
    };
    for (const socket of pair) socket.on('error', end).on('close', end);
    near.pipe(far).pipe(near);
    if (mode === 'paused') hold(pair);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));

  const url = new URL(engineUrl);
  url.host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  const cutAll = () => {
    for (const [near, far] of pairs) {
      near.destroy();
      far.destroy();
    }
  };
  return {
    url: url.href,
    pause() {
      mode = 'paused';
      for (const pair of pairs) hold(pair);
    },
    cut() {
      mode = 'cut';
      cutAll();
    },
    mend() {
      mode = 'open';
      // What hung is not brought back to life: late answers belong to nobody.
      cutAll();
    },
    async stop() {
      cutAll();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function hold([near, far]: [Socket, Socket]): void {
  near.unpipe(far).pause();
  far.unpipe(near).pause();
}
