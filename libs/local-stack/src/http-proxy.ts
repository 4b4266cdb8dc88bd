import { once } from 'node:events';
import { createServer } from 'node:http';
import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { HOST } from './ports.ts';

/** One request on its way through the proxy. */
export interface Exchange {
  method: string;
  path: string;
  /** Sends the request to the target and keeps the response, which the client does not have yet. */
  forward(): Promise<void>;
  /** Passes the response of the target on. */
  respond(): void;
  /** Responds in place of the target. */
  reply(status: number, headers: OutgoingHttpHeaders, body: string): void;
  /** Closes the connection without a response. */
  drop(): void;
}

/** Stands between a client and an HTTP service, for tests of lost and failed requests. */
export interface HttpProxy {
  url: string;
  close(): Promise<void>;
}

const FORWARDED = [
  ...['authorization', 'content-encoding', 'content-type', 'idempotency-key', 'prefer', 'x-api-key'],
];

/** Sends a request on and its response back. */
export async function forwardUnchanged(exchange: Exchange): Promise<void> {
  await exchange.forward();
  exchange.respond();
}

/** @param handle decides what becomes of each request; when it throws, the connection is closed */
export async function startHttpProxy(
  target: string,
  handle: (exchange: Exchange) => Promise<void>,
): Promise<HttpProxy> {
  const server = createServer((request, response) => {
    const handled = buffer(request).then((body) => handle(exchangeOf(request, response, body)));
    handled.catch(() => response.destroy());
  });

  function exchangeOf(
    { method = 'GET', url: path = '/', headers }: IncomingMessage,
    response: ServerResponse,
    body: Buffer<ArrayBuffer>,
  ): Exchange {
    let answer: Response | undefined;
    let text = '';
    return {
      method,
      path,
      async forward() {
        const kept = FORWARDED.flatMap((name): [string, string][] =>
          headers[name] === undefined ? [] : [[name, String(headers[name])]],
        );
        answer = await fetch(target + path, {
          ...{ method, headers: kept },
          ...(body.length > 0 && { body }),
        });
        text = await answer.text();
      },
      respond() {
        const location = answer?.headers.get('location');
        const type = answer?.headers.get('content-type') ?? 'application/json';
        response.writeHead(answer?.status ?? 502, { 'content-type': type, ...(location && { location }) });
        response.end(text);
      },
      reply: (status, own, content) => void response.writeHead(status, own).end(content),
      drop: () => void response.destroy(),
    };
  }

  server.listen(0, HOST);
  await once(server, 'listening');
  return {
    url: `http://${HOST}:${(server.address() as AddressInfo).port}`,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
