import { once } from 'node:events';
import { createServer } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

export interface CreationRequest {
  /** How many there were before it, over all runs. */
  number: number;
  /** Passes it on and gives the answer back, which the client does not have yet. */
  carryOut: () => Promise<void>;
  /** Lets the client have the answer. */
  answer: () => void;
  /** Answers in place of the service. */
  refuse: (status: number, headers: Record<string, string>) => void;
}

/** Stands between the command and key-service, and decides what becomes of each request to create a key. */
export interface KillingProxy {
  url: string;
  onCreation: (request: CreationRequest) => Promise<void>;
  close(): Promise<void>;
}

export const carryOn = async ({ carryOut, answer }: CreationRequest): Promise<void> => {
  await carryOut();
  answer();
};

export async function startKillingProxy(target: string): Promise<KillingProxy> {
  let creations = 0;
  const proxy: KillingProxy = { url: '', onCreation: carryOn, close };
  const server = createServer((request, response) => {
    void handle(request, response).catch(() => response.destroy());
  });

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = 'GET', url = '/', headers } = request;
    const body = await buffer(request);
    let answer: Response | undefined;
    let text = '';
    const creation: CreationRequest = {
      number: creations,
      carryOut: async () => {
        const kept = Object.entries(headers).filter(([name]) => PASSED_ON.includes(name)) as [
          string,
          string,
        ][];
        answer = await fetch(target + url, { method, headers: kept, ...(body.length > 0 ? { body } : {}) });
        text = await answer.text();
      },
      answer: () => {
        const location = answer?.headers.get('location') ?? null;
        response.writeHead(answer?.status ?? 502, {
          'content-type': 'application/json',
          ...(location === null ? {} : { location }),
        });
        response.end(text);
      },
      refuse: (status, told) =>
        void response.writeHead(status, told).end('{"status":"error","error":"later","code":"unavailable"}'),
    };
    const isCreation = method === 'POST' && url.endsWith('/keys');
    if (isCreation) creations += 1;
    await (isCreation ? proxy.onCreation(creation) : carryOn(creation));
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

const PASSED_ON = ['authorization', 'content-type', 'idempotency-key'];
