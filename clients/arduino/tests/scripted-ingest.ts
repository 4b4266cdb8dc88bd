import { once } from 'node:events';
import { createServer } from 'node:http';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

export interface SentReading {
  cellar: string;
  rack: string;
  keg: string;
  value: number;
  timestamp: string;
}

/** Index to error code; `unavailable` is retryable. */
export type ReadingErrors = Record<number, string>;

export interface Reply {
  status?: number;
  errors?: ReadingErrors;
  /** Instead of the body that ingest sends with this status. */
  body?: string;
  headers?: Record<string, string>;
  /** The connection is cut instead of a response. */
  cut?: boolean;
}

export interface ScriptedIngest {
  url: string;
  /** The readings of each request, in order. */
  batches: SentReading[][];
  /** Replies to the next requests; without one, all readings are stored. */
  script: Reply[];
  close(): void;
}

export async function startScriptedIngest(tls?: { key: string; cert: string }): Promise<ScriptedIngest> {
  const batches: SentReading[][] = [];
  const script: Reply[] = [];
  const handle = (request: IncomingMessage, response: ServerResponse) =>
    void respond(request, response, batches, script.shift() ?? {});
  const server: Server = tls === undefined ? createServer(handle) : createTlsServer(tls, handle);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `${tls === undefined ? 'http' : 'https'}://127.0.0.1:${port}`,
    batches,
    script,
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

async function respond(
  request: IncomingMessage,
  response: ServerResponse,
  batches: SentReading[][],
  { status = 200, errors, body, headers = {}, cut = false }: Reply,
): Promise<void> {
  const lines = (await text(request)).trimEnd().split('\n');
  batches.push(lines.map((line) => JSON.parse(line) as SentReading));
  if (cut) {
    request.socket.destroy();
    return;
  }
  const isForIngest = request.method === 'POST' && request.url === '/api/v1/ingest/batch';
  const hasHeaders =
    request.headers['x-api-key'] === 'cm_key' && request.headers['content-type'] === 'application/x-ndjson';
  const isValid = isForIngest && hasHeaders;
  const sent = isValid ? (body ?? ingestBody(lines.length, status, errors)) : '{"code":"wrong_request"}';
  // Proxies send chunks, ingest the length.
  const length = batches.length % 2 === 0 ? {} : { 'content-length': Buffer.byteLength(sent) };
  const all = { 'content-type': 'application/json', ...length, ...headers };
  response.writeHead(isValid ? status : 404, all).end(sent);
}

function ingestBody(count: number, status: number, errors?: ReadingErrors): string {
  const timestamp = new Date().toISOString();
  if (errors === undefined && status === 200)
    return JSON.stringify({ status: 'success', accepted: count, timestamp });
  if (errors === undefined)
    return JSON.stringify({ status: 'error', error: 'the request', code: `code_${status}` });
  const list = Object.entries(errors).map(([index, code]) => ({
    ...{ index: Number(index), error: `"value" must be a number\u{a0}`, code },
    retryable: code === 'unavailable',
  }));
  const accepted = count - list.length;
  return JSON.stringify({ status: 'partial', accepted, rejected: list.length, timestamp, errors: list });
}
