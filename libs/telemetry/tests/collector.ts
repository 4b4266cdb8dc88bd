import { createServer } from 'node:http';
import type { IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

export interface CollectedRequest {
  url: string | undefined;
  type: string | undefined;
  headers: IncomingHttpHeaders;
  body: Buffer;
}

/** A collector that keeps what it is sent. */
export interface Collector {
  endpoint: string;
  requests: readonly CollectedRequest[];
  /** What came to one path. Protobuf keeps texts as they are. */
  at: (path: string) => Buffer[];
  /** From now on it responds with this status. */
  answer: (status: number) => void;
  close: () => Promise<void>;
}

export async function startCollector(): Promise<Collector> {
  const requests: CollectedRequest[] = [];
  let status = 200;
  const server = createServer((request, response) => {
    void buffer(request).then((body) => {
      requests.push({
        url: request.url,
        type: request.headers['content-type'],
        headers: request.headers,
        body,
      });
      response.writeHead(status).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    at: (path) => requests.filter(({ url }) => url === path).map(({ body }) => body),
    answer: (next) => {
      status = next;
    },
    close: () =>
      new Promise<void>((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}
