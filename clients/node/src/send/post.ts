import { promisify } from 'node:util';
import * as zlib from 'node:zlib';
import type { Settings } from '../options.ts';
import type { Response } from './verdict.ts';

const PATH = '/api/v1/ingest/batch';
/** Smaller bodies fit into one packet anyway. */
const LEAST_COMPRESSED_BYTES = 1024;

const COMPRESS = {
  // Level 1 takes a third of the time of the default, and readings repeat so much that they are hardly larger.
  gzip: (body: Uint8Array) => promisify(zlib.gzip)(body, { level: 1 }),
  zstd: (body: Uint8Array) => promisify(zlib.zstdCompress)(body),
};

/** Posts readings as NDJSON. Resolves also when there is no response; never throws. */
export async function post(
  bodies: readonly string[],
  apiKey: string,
  { url, compression, timeoutMs }: Settings,
  stop: AbortSignal,
): Promise<Response> {
  let body: Uint8Array<ArrayBuffer> = new TextEncoder().encode(`${bodies.join('\n')}\n`);
  const headers: Record<string, string> = { 'content-type': 'application/x-ndjson', 'x-api-key': apiKey };
  if (compression !== 'none' && body.length >= LEAST_COMPRESSED_BYTES) {
    body = await COMPRESS[compression](body);
    headers['content-encoding'] = compression;
  }
  return postJson(url + PATH, headers, body, { timeoutMs, stop });
}

/** Posts a body and reads JSON. Resolves also when there is no response; never throws. */
export async function postJson(
  url: string,
  headers: Record<string, string>,
  body: Uint8Array<ArrayBuffer>,
  { timeoutMs, stop }: { timeoutMs: number; stop: AbortSignal },
): Promise<Response> {
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'user-agent': 'cellarman-client-node', ...headers },
      body,
      // A redirect could carry the key to another server.
      redirect: 'manual',
      signal: AbortSignal.any([stop, AbortSignal.timeout(timeoutMs)]),
    });
    return { status: response.status, headers: response.headers, body: parsed(await response.text()) };
  } catch (error) {
    return { status: 0, body: undefined, headers: new Headers(), reason: reasonOf(error) };
  }
}

function parsed(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}

/** `fetch` has the reason in the cause. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? error.cause.message || error.cause.name : error.message;
}
