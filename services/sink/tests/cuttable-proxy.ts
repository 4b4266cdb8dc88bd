import { connect, createServer } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';

/** A way to an engine that can be cut, so that the engine of the other tests stays up. */
export interface CuttableProxy {
  readonly url: string;
  /** Cuts open connections and rejects new ones. */
  cut(): void;
  /** Lets the next insert of readings through, and drops its connection before the response. Other requests succeed. */
  loseNextInsertsAnswer(): void;
  restore(): void;
  close(): Promise<void>;
}

export async function startCuttableProxy(target: string): Promise<CuttableProxy> {
  const { hostname, port } = new URL(target);
  const sockets = new Set<Socket>();
  let isCut = false;
  let losesAnswer = false;

  const server = createServer((client) => {
    if (isCut) {
      client.destroy();
      return;
    }
    const engine = connect(Number(port), hostname);
    for (const socket of [client, engine]) {
      sockets.add(socket);
      socket.on('error', () => {});
      socket.on('close', () => {
        sockets.delete(socket);
        client.destroy();
        engine.destroy();
      });
    }
    let isInsert = false;
    client.on('data', (request) => {
      const line = /^[A-Z]+ .*/.exec(request.toString('latin1'));
      if (line !== null) isInsert = /INSERT.+readings_stored/.test(line[0]);
      engine.write(request);
    });
    engine.on('data', (answer) => {
      if (losesAnswer && isInsert) {
        losesAnswer = false;
        client.destroy();
      } else {
        client.write(answer);
      }
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));

  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    cut() {
      isCut = true;
      for (const socket of sockets) socket.destroy();
    },
    loseNextInsertsAnswer() {
      losesAnswer = true;
    },
    restore() {
      isCut = false;
    },
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
