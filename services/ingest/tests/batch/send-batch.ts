import { brotliCompressSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib';
import type { BatchEncoding } from '@cellarman/contracts';
import { expectDocumentedResponse } from '../ingest-app.ts';

export interface BatchAnswer {
  status: number;
  headers: Headers;
  body: unknown;
}

/** Ingest promises a response within five seconds; the rest is for a machine that is busy with tests. */
const ANSWER_WITHIN_MS = 8_000;

/** Sends bytes to the batch route as they are. */
export async function sendBatch(
  url: string,
  apiKey: string | undefined,
  body: string | Buffer | ReadableStream,
  headers: Record<string, string> = {},
): Promise<BatchAnswer> {
  const response = await fetch(`${url}/api/v1/ingest/batch`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      ...(apiKey === undefined ? {} : { 'x-api-key': apiKey }),
      ...headers,
    },
    signal: AbortSignal.timeout(ANSWER_WITHIN_MS),
    body,
    ...(body instanceof ReadableStream ? { duplex: 'half' } : {}),
  });
  await expectDocumentedResponse(response.clone());
  return { status: response.status, headers: response.headers, body: await response.json() };
}

export function arrayOf(readings: readonly unknown[]): string {
  return JSON.stringify(readings);
}

export function linesOf(readings: readonly unknown[]): string {
  return readings.map((reading) => `${JSON.stringify(reading)}\n`).join('');
}

export const NDJSON = { 'content-type': 'application/x-ndjson' };

export const COMPRESS: Record<BatchEncoding, (bytes: Buffer | string) => Buffer> = {
  gzip: (bytes) => gzipSync(bytes),
  deflate: (bytes) => deflateSync(bytes),
  br: (bytes) => brotliCompressSync(bytes),
  zstd: (bytes) => zstdCompressSync(bytes),
};
