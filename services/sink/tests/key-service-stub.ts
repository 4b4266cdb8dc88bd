import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { DEAD_LETTERS_PATH, REPLAYS_PATH } from '@cellarman/contracts';
import type { DeadLetter, Replay, ReplayResult } from '@cellarman/contracts';

/** The internal API of key-service over real HTTP, as far as dead letters need it. */
export interface KeyServiceStub {
  url: string;
  /** What the sink has copied. */
  copied: DeadLetter[];
  /** What the sink has to replay. Reported ones leave it. */
  replays: Replay[];
  results: ReplayResult[];
  /** Called before results are taken. An error loses them. */
  onResults: () => Promise<void>;
  close(): void;
}

export async function startKeyServiceStub(): Promise<KeyServiceStub> {
  const server = createServer((request, response) => {
    void (async () => {
      let text = '';
      for await (const chunk of request) text += String(chunk);
      const body = (text === '' ? {} : JSON.parse(text)) as {
        deadLetters?: DeadLetter[];
        results?: ReplayResult[];
      };
      if (request.url === DEAD_LETTERS_PATH) stub.copied.push(...(body.deadLetters ?? []));
      if (request.url === REPLAYS_PATH && request.method === 'GET') {
        response.writeHead(200, { 'content-type': 'application/json' });
        return void response.end(JSON.stringify({ replays: stub.replays.slice(0, 50) }));
      }
      if (request.url === REPLAYS_PATH) {
        await stub.onResults();
        const done = new Set(body.results?.map(({ id }) => id));
        stub.results.push(...(body.results ?? []));
        stub.replays = stub.replays.filter(({ id }) => !done.has(id));
      }
      response.writeHead(request.url?.endsWith('/retention') === true ? 503 : 204).end();
    })().catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const stub: KeyServiceStub = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    ...{ copied: [], replays: [], results: [] },
    onResults: async () => {},
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
  return stub;
}
