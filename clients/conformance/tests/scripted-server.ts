import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { gunzipSync, zstdDecompressSync } from 'node:zlib';
import { readingOf } from './scenario.ts';
import type { ScriptedResponse } from './scenario.ts';

/** Responds to the batches of one client as a scenario says, and cuts connections or repeats a response at any other time. */
export interface ScriptedServer {
  url: string;
  /** Resolves when the last response was delivered; rejects when a request is not the expected one. */
  respond(responses: readonly ScriptedResponse[]): Promise<void>;
  close(): Promise<void>;
}

export const API_KEY = 'cm_scripted';
export const CLAIM_CODE = 'cmc_scripted';
const DECODE: Record<string, (body: Buffer) => Buffer> = { gzip: gunzipSync, zstd: zstdDecompressSync };

export async function startScriptedServer(): Promise<ScriptedServer> {
  let script:
    | { isNext: boolean; responses: ScriptedResponse[]; done: PromiseWithResolvers<void> }
    | undefined;
  let repeated: ScriptedResponse | undefined;
  let inFlight = 0;
  let lastResponseAt = 0;
  let deviceSecret: string | undefined;

  const server = createServer((request, response) => {
    serve(request, response).catch((error: unknown) => {
      script?.done.reject(error);
      response.destroy();
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const expected = script?.isNext === true ? script.responses.shift() : undefined;
    if (script !== undefined) script.isNext = true;
    if (script === undefined || expected === undefined) {
      if (repeated === undefined) request.socket.destroy();
      else respond(response, repeated, 0);
      return;
    }
    const current = script;
    repeated = expected.repeats === true ? expected : undefined;
    inFlight += 1;
    const closed = once(response, 'close').then(() => (inFlight -= 1));
    if (inFlight > 1) throw new Error('More than one request at a time');
    const sinceMs = performance.now() - lastResponseAt;
    if (sinceMs < (expected.afterMs ?? 0))
      throw new Error(`The request came ${sinceMs} ms after the response, not ${expected.afterMs}`);
    const count = await read(request, expected);
    if (expected.delayMs !== undefined) await sleep(expected.delayMs);
    lastResponseAt = performance.now();
    if (expected.cut === true) request.socket.destroy();
    else respond(response, expected, count);
    await closed;
    if (current.responses.length === 0) current.done.resolve();
  }

  function respond(response: ServerResponse, expected: ScriptedResponse, count: number): void {
    const body = expected.body ?? bodyOf(expected, count);
    lastResponseAt = performance.now();
    response.writeHead(statusOf(expected), { 'content-type': 'application/json', ...expected.headers });
    response.end(typeof body === 'string' ? body : JSON.stringify(body));
  }

  /** Returns the number of readings. */
  async function read(request: IncomingMessage, expected: ScriptedResponse): Promise<number> {
    if (expected.claims === undefined) {
      const readings = await readingsOf(request);
      compare(readings, expected);
      return readings.length;
    }
    const claim = JSON.parse((await bytesOf(request, '/api/v1/claims application/json')).toString()) as {
      deviceSecret: string;
    };
    const { claims: rack, isNewDevice = false } = expected;
    const known = deviceSecret;
    ({ deviceSecret } = claim);
    if (JSON.stringify(claim) !== JSON.stringify({ claimCode: CLAIM_CODE, rack, deviceSecret }))
      throw new Error(`Unexpected claim: ${JSON.stringify(claim)}`);
    if (!/^[\w-]{32,128}$/.test(deviceSecret)) throw new Error('The device secret is too short');
    if (known !== undefined && (known !== deviceSecret) !== isNewDevice)
      throw new Error('The device secret is not the expected one');
    return 0;
  }

  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async respond(responses) {
      // One more request is cut: it may have been put together before the last put.
      script = { isNext: false, responses: [...responses], done: Promise.withResolvers() };
      const left = setTimeout(() => {
        const next = JSON.stringify(script?.responses.map(({ takes, claims }) => takes ?? { claims }));
        script?.done.reject(new Error(`No request within 30 s for ${next}`));
      }, 30_000);
      await script.done.promise.finally(() => {
        clearTimeout(left);
        script = undefined;
      });
    },
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

async function readingsOf(request: IncomingMessage): Promise<Record<string, unknown>[]> {
  const raw = await bytesOf(request, `/api/v1/ingest/batch ${API_KEY} application/x-ndjson`);
  const encoding = request.headers['content-encoding'];
  const body = encoding === undefined ? raw : DECODE[encoding]?.(raw);
  if (body === undefined) throw new Error(`Unexpected Content-Encoding: ${encoding}`);
  const lines = body
    .toString()
    .split('\n')
    .filter((line) => line !== '');
  return lines.map((line) => JSON.parse(line) as Record<string, unknown>);
}

/** @param expected path, API key if there is one, and `Content-Type` */
async function bytesOf(request: IncomingMessage, expected: string): Promise<Buffer> {
  const { method, url, headers } = request;
  const found = [method, url, headers['x-api-key'], headers['content-type']].filter(
    (part) => part !== undefined,
  );
  if (found.join(' ') !== `POST ${expected}`) throw new Error(`Unexpected request: ${found.join(' ')}`);
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

/** Fields that an expected reading leaves out are not compared. */
function compare(readings: readonly Record<string, unknown>[], { takes = [] }: ScriptedResponse): void {
  const expected = takes.map(readingOf);
  const isEqual = expected.every((reading, index) =>
    Object.entries(reading).every(([field, value]) => readings[index]?.[field] === value),
  );
  if (readings.length === expected.length && isEqual) return;
  const brief = readings.map(({ rack, value }) => `${String(rack)}${String(value)}`);
  throw new Error(`Expected ${JSON.stringify(takes)}, got ${JSON.stringify(brief)}`);
}

const statusOf = ({ status, claims }: ScriptedResponse): number =>
  status ?? (claims === undefined ? 200 : 201);

/** The documented body, see docs/http-api.md. */
function bodyOf(response: ScriptedResponse, count: number): unknown {
  const { errors = {}, claims } = response;
  const status = statusOf(response);
  const timestamp = new Date().toISOString();
  const entries = Object.entries(errors).map(([index, code]) => {
    return { index: Number(index), error: `because ${code}`, code, retryable: code === 'unavailable' };
  });
  const accepted = count - entries.length;
  if (entries.length > 0)
    return { status: 'partial', accepted, rejected: entries.length, timestamp, errors: entries };
  if (claims !== undefined && status < 300)
    return { apiKey: API_KEY, keyId: randomUUID(), cellar: 'c', rack: claims };
  if (status === 200) return { status: 'success', accepted, timestamp };
  if (status === 401) return { error: 'Invalid API key', status };
  return { status: 'error', error: `status ${status}`, code: `code_${status}` };
}
