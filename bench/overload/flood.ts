import { setTimeout as delay } from 'node:timers/promises';
import { brotliCompressSync, gzipSync, zstdCompressSync } from 'node:zlib';
import { Device } from './device.ts';

/** Batches that cost little to send and were dear to reject. All but the last are 4 MiB of whitespace. */
export const EXPENSIVE_BATCHES = [
  'brotli bomb',
  'zstd bomb',
  'gzip bomb',
  'over the limit',
  'invalid',
] as const;
export type ExpensiveBatch = (typeof EXPENSIVE_BATCHES)[number];

export interface FloodOptions {
  /** Origin, such as `http://127.0.0.1:4000`. */
  url: string;
  apiKey: string;
  cellar: string;
  kind: ExpensiveBatch;
  connections: number;
  afterSeconds: number;
  seconds: number;
}

export interface FloodReport {
  /** Bytes of each body. */
  bytes: number;
  statuses: Record<string, number>;
}

const WHITESPACE = Buffer.alloc(4_194_304, ' ');
const READINGS = 10_000;

/** Each connection sends the next batch as soon as the last one is answered, whatever the answer says. */
async function flood(options: FloodOptions): Promise<FloodReport> {
  const { hostname, host, port } = new URL(options.url);
  const [encoding, body] = bodyOf(options);
  const head =
    `POST /api/v1/ingest/batch HTTP/1.1\r\nHost: ${host}\r\nX-API-Key: ${options.apiKey}\r\n` +
    `Content-Type: application/x-ndjson\r\nContent-Encoding: ${encoding}\r\nContent-Length: ${body.length}\r\n\r\n`;
  const request = Buffer.concat([Buffer.from(head), body]);
  const statuses: Record<string, number> = {};
  const count = (status: number | string) => (statuses[status] = (statuses[status] ?? 0) + 1);
  const again = (device: Device) => device.send(request, performance.now());
  const devices = Array.from(
    { length: options.connections },
    () =>
      new Device({
        host: hostname,
        port: Number(port),
        onAnswer(device, { status }) {
          count(status);
          again(device);
        },
        onBroken(device) {
          count('broken');
          again(device);
        },
      }),
  );
  await delay(options.afterSeconds * 1_000);
  devices.forEach(again);
  await delay(options.seconds * 1_000);
  for (const device of devices) device.close();
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
      return ['gzip', gzipSync(goodLines(cellar))];
    case 'invalid':
      return ['gzip', gzipSync('7\n'.repeat(READINGS))];
  }
}

function goodLines(cellar: string): string {
  const timestamp = new Date().toISOString();
  const lines = Array.from({ length: READINGS }, (_, value) =>
    JSON.stringify({ cellar, rack: `rack-${value % 100}`, keg: 'temperature', value, timestamp }),
  );
  return lines.join('\n');
}

if (import.meta.main) {
  const report = await flood(JSON.parse(process.argv[2] ?? '{}') as FloodOptions);
  process.stdout.write(`${JSON.stringify(report)}\n`, () => process.exit());
}
