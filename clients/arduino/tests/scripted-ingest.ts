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

const API_KEY = 'cm_key';

export interface ScriptedIngest {
  url: string;
  /** The readings of each request, in order. */
  batches: SentReading[][];
  /** The bodies of claims, in order. */
  claims: Record<string, string>[];
  /** Replies to the next requests; without one, all readings are stored and claims get the key. */
  script: Reply[];
  close(): void;
}

export async function startScriptedIngest(tls?: { key: string; cert: string }): Promise<ScriptedIngest> {
  const batches: SentReading[][] = [];
  const claims: Record<string, string>[] = [];
  const script: Reply[] = [];
  const handle = (request: IncomingMessage, response: ServerResponse) => {
    const reply = script.shift() ?? {};
    if (request.url === '/api/v1/claims') void respondToClaim(request, response, claims, reply);
    else void respond(request, response, batches, reply);
  };
  const server: Server = tls === undefined ? createServer(handle) : createTlsServer(tls, handle);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `${tls === undefined ? 'http' : 'https'}://127.0.0.1:${port}`,
    batches,
    claims,
    script,
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

async function respondToClaim(
  request: IncomingMessage,
  response: ServerResponse,
  claims: Record<string, string>[],
  { status = 201, body, headers = {}, cut = false }: Reply,
): Promise<void> {
  claims.push(JSON.parse(await text(request)) as Record<string, string>);
  if (cut) {
    request.socket.destroy();
    return;
  }
  const isKey = status < 300 && request.headers['x-api-key'] === undefined;
  const answer = isKey
    ? { apiKey: API_KEY, keyId: 'x', cellar: 'demo', rack: 'r' }
    : { error: 'no', code: `code_${status}` };
  response
    .writeHead(status, { 'content-type': 'application/json', ...headers })
    .end(body ?? JSON.stringify(answer));
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
    request.headers['x-api-key'] === API_KEY && request.headers['content-type'] === 'application/x-ndjson';
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
