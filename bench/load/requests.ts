import { brotliCompressSync, gzipSync, zstdCompressSync } from 'node:zlib';
import { generateApiKey } from '@cellarman/api-key';

/** Batches that cost little to send and were expensive to reject. The bombs are 4 MiB of whitespace. */
export const EXPENSIVE_BATCHES = [
  'brotli bomb',
  'zstd bomb',
  'gzip bomb',
  'over the limit',
  'invalid',
] as const;
type ExpensiveBatch = (typeof EXPENSIVE_BATCHES)[number];

/** What a client sends. All but `reading` are rejected. */
export type RequestKind =
  | 'reading'
  | 'invalid JSON'
  | '1 % invalid JSON'
  | 'wrong content type'
  | 'oversized body'
  | 'wrong checksums'
  | 'unknown keys'
  | ExpensiveBatch;

export interface Sender {
  /** Origin, such as `http://127.0.0.1:4000`. */
  url: string;
  apiKey: string;
  cellar: string;
}

const RACKS = 1_000;
const PREPARED = 2_000;
const OVERSIZED_BYTES = 20_000;
const WHITESPACE = Buffer.alloc(4_194_304, ' ');
const READINGS_IN_A_BATCH = 10_000;

/** Returns the whole request `number` as bytes. Made once where possible, because the generator shares the CPU with the service. */
export function createRequests(sender: Sender, kind: RequestKind): (number: number) => Buffer {
  // Each key is another one, so that none is known from the request before.
  if (kind === 'unknown keys') return (number) => request(sender, kind, number);
  if (isExpensive(kind)) {
    const batch = expensiveBatch(sender, kind);
    return () => batch;
  }
  const prepared = Array.from({ length: PREPARED }, (_, number) => request(sender, kind, number));
  return (number) => prepared[number % PREPARED] as Buffer;
}

function request(sender: Sender, kind: Exclude<RequestKind, ExpensiveBatch>, number: number): Buffer {
  const body = readingBody(
    sender.cellar,
    `rack-${(number % RACKS) + 1}`,
    Math.round(Math.random() * 1e6) / 1e4,
  );
  switch (kind) {
    case 'reading':
      return post(sender, body);
    case 'invalid JSON':
      return post(sender, body.slice(0, -1));
    case '1 % invalid JSON':
      return post(sender, number % 100 === 0 ? body.slice(0, -1) : body);
    case 'wrong content type':
      return post(sender, body, { contentType: 'text/plain' });
    case 'oversized body':
      return post(sender, `"${'x'.repeat(OVERSIZED_BYTES)}"`);
    case 'wrong checksums':
      return post(sender, body, {
        apiKey: `${sender.apiKey.slice(0, -6)}${String(number).padStart(6, '0')}`,
      });
    case 'unknown keys':
      return post(sender, body, { apiKey: generateApiKey() });
  }
}

export function readingBody(cellar: string, rack: string, value: number): string {
  const timestamp = new Date().toISOString();
  return `{"cellar":"${cellar}","rack":"${rack}","keg":"temperature","value":${value},"timestamp":"${timestamp}"}`;
}

export function post(
  { url, ...sender }: Sender,
  body: string | Buffer,
  {
    apiKey = sender.apiKey,
    contentType = 'application/json',
    encoding = 'identity',
    path = '/api/v1/ingest',
  } = {},
): Buffer {
  const head =
    `POST ${path} HTTP/1.1\r\nHost: ${new URL(url).host}\r\nX-API-Key: ${apiKey}\r\nContent-Type: ${contentType}\r\n` +
    `${encoding === 'identity' ? '' : `Content-Encoding: ${encoding}\r\n`}Content-Length: ${Buffer.byteLength(body)}\r\n\r\n`;
  return Buffer.concat([Buffer.from(head), Buffer.from(body)]);
}

function isExpensive(kind: RequestKind): kind is ExpensiveBatch {
  return EXPENSIVE_BATCHES.some((batch) => batch === kind);
}

function expensiveBatch(sender: Sender, kind: ExpensiveBatch): Buffer {
  const [encoding, body] = compressedBatch(sender.cellar, kind);
  const [path, contentType] = ['/api/v1/ingest/batch', 'application/x-ndjson'];
  return post(sender, body, { path, contentType, encoding });
}

function compressedBatch(cellar: string, kind: ExpensiveBatch): [encoding: string, body: Buffer] {
  switch (kind) {
    case 'brotli bomb':
      return ['br', brotliCompressSync(WHITESPACE)];
    case 'zstd bomb':
      return ['zstd', zstdCompressSync(WHITESPACE)];
    case 'gzip bomb':
      return ['gzip', gzipSync(WHITESPACE)];
    case 'over the limit': {
      const line = (_: unknown, number: number) => readingBody(cellar, `rack-${number % 100}`, number);
      return ['gzip', gzipSync(Array.from({ length: READINGS_IN_A_BATCH }, line).join('\n'))];
    }
    case 'invalid':
      return ['gzip', gzipSync('7\n'.repeat(READINGS_IN_A_BATCH))];
  }
}
