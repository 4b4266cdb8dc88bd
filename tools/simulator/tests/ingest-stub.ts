import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

/** An HTTP server with responses that a test sets, because ingest cannot be made to fail at will. */
export interface IngestStub {
  url: string;
  /** Every body that arrived, in order, repetitions included. */
  bodies: string[];
  close(): Promise<void>;
}

export type Respond = (response: ServerResponse, body: string, request: IncomingMessage) => void;

export async function startIngestStub(respond: Respond): Promise<IngestStub> {
  const bodies: string[] = [];
  const server = createServer((request, response) => {
    void text(request).then((body) => {
      bodies.push(body);
      respond(response, body, request);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    bodies,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

export const accept: Respond = (response) => {
  response.writeHead(200, { 'content-type': 'application/json' });
  response.end(
    '{"status":"success","message":"Data ingested successfully","timestamp":"2026-11-21T00:00:00.000Z"}',
  );
};

export function reject(status: number, code: string, retryAfter?: number): Respond {
  return (response) => {
    if (retryAfter !== undefined) response.setHeader('retry-after', retryAfter);
    response.writeHead(status);
    response.end(JSON.stringify({ status: 'error', error: 'no', code }));
  };
}
