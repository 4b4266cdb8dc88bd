import { once } from 'node:events';
import { createServer } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

/**
 * `unavailable`: 503 in the words of ingest. `bad gateway`: 502 in the words of a proxy. `lost`: ingest stores what was
 * sent, and the response does not arrive.
 */
export type Behaviour = 'open' | 'unavailable' | 'bad gateway' | 'lost';

/** Stands between a sender and ingest. */
export interface FailingProxy {
  url: string;
  behaviour: Behaviour;
  /** Requests with each behaviour so far. */
  count: Record<Behaviour, number>;
  close(): Promise<void>;
}

export async function startFailingProxy(target: string): Promise<FailingProxy> {
  const count: FailingProxy['count'] = { open: 0, unavailable: 0, 'bad gateway': 0, lost: 0 };
  const server = createServer((request, response) => {
    handle(request, response).catch(() => response.destroy());
  });
  const proxy: FailingProxy = { url: '', behaviour: 'open', count, close };

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { behaviour } = proxy;
    const body = await buffer(request);
    if (behaviour === 'unavailable') {
      response.writeHead(503, { 'retry-after': '1', 'content-type': 'application/json' });
      response.end('{"status":"error","error":"Kafka has not acknowledged","code":"unavailable"}');
    } else if (behaviour === 'bad gateway') {
      response.writeHead(502, { 'content-type': 'text/html' }).end('<h1>502 Bad Gateway</h1>');
    } else {
      const answer = await passOn(request, body);
      if (behaviour === 'lost') response.destroy();
      else response.writeHead(answer.status).end(Buffer.from(await answer.arrayBuffer()));
    }
    count[behaviour] += 1;
  }

  function passOn({ url = '/', headers }: IncomingMessage, body: Buffer<ArrayBuffer>): Promise<Response> {
    const { 'content-type': contentType = '', 'x-api-key': apiKey = '' } = headers;
    return fetch(target + url, {
      method: 'POST',
      headers: { 'content-type': contentType, 'x-api-key': String(apiKey) },
      body,
    });
  }

  async function close(): Promise<void> {
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  }

  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  proxy.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return proxy;
}
