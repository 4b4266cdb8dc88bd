import { setTimeout as delay } from 'node:timers/promises';
import { brotliCompressSync, gzipSync, zstdCompressSync } from 'node:zlib';
import { Connection } from './connection.ts';
import { readingBody } from './requests.ts';
import type { Sender } from './requests.ts';

/** Batches that cost little to send and were expensive to reject. The bombs are 4 MiB of whitespace. */
export const EXPENSIVE_BATCHES = [
  'brotli bomb',
  'zstd bomb',
  'gzip bomb',
  'over the limit',
  'invalid',
] as const;
export type ExpensiveBatch = (typeof EXPENSIVE_BATCHES)[number];

export interface FloodOptions extends Sender {
  kind: ExpensiveBatch;
  connections: number;
  afterSeconds: number;
  seconds: number;
}

export interface FloodReport {
  /** Size of each body. */
  bytes: number;
  statuses: Record<string, number>;
}

const WHITESPACE = Buffer.alloc(4_194_304, ' ');
const READINGS = 10_000;

/** Each connection sends the next batch as soon as it has the last response, whatever the status. */
async function flood(options: FloodOptions): Promise<FloodReport> {
  const [encoding, body] = bodyOf(options);
  const head =
    `POST /api/v1/ingest/batch HTTP/1.1\r\nHost: ${new URL(options.url).host}\r\nX-API-Key: ${options.apiKey}\r\n` +
    `Content-Type: application/x-ndjson\r\nContent-Encoding: ${encoding}\r\nContent-Length: ${body.length}\r\n\r\n`;
  const request = Buffer.concat([Buffer.from(head), body]);
  const statuses: Record<string, number> = {};
  function next(connection: Connection, status: number | string): void {
    statuses[status] = (statuses[status] ?? 0) + 1;
    connection.send(request, performance.now());
  }
  const connections = Array.from(
    { length: options.connections },
    () =>
      new Connection({
        url: options.url,
        onResponse: (connection, { status }) => next(connection, status),
        onBroken: (connection) => next(connection, 'broken'),
      }),
  );
  await delay(options.afterSeconds * 1_000);
  for (const connection of connections) connection.send(request, performance.now());
  await delay(options.seconds * 1_000);
  for (const connection of connections) connection.close();
  return { bytes: body.length, statuses };
}

function bodyOf({ kind, cellar }: FloodOptions): [encoding: string, body: Buffer] {
  switch (kind) {
    case 'brotli bomb':
      return ['br', brotliCompressSync(WHITESPACE)];
    case 'zstd bomb':
      return ['zstd', zstdCompressSync(WHITESPACE)];
    case 'gzip bomb':
      return ['gzip', gzipSync(WHITESPACE)];
    case 'over the limit':
      return ['gzip', gzipSync(validLines(cellar))];
    case 'invalid':
      return ['gzip', gzipSync('7\n'.repeat(READINGS))];
  }
}

function validLines(cellar: string): string {
  const line = (_: unknown, number: number) => readingBody(cellar, `rack-${number % 100}`, number);
  return Array.from({ length: READINGS }, line).join('\n');
}

if (import.meta.main) {
  const report = await flood(JSON.parse(process.argv[2] ?? '{}') as FloodOptions);
  process.stdout.write(`${JSON.stringify(report)}\n`, () => process.exit());
}
