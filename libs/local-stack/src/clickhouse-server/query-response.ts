import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Writable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { constants, createBrotliCompress, createGzip, createZstdCompress } from 'node:zlib';
import type { ClickHouseException } from './clickhouse-exception.ts';
import { statusOfException } from './exception-status.ts';

/** Figures of `X-ClickHouse-Summary`. What the embedded engine does not report stays at zero. */
export interface Summary {
  written_rows?: number;
  written_bytes?: number;
  result_rows?: number;
  result_bytes?: number;
}

/**
 * One HTTP response. As on the server, its beginning is buffered, so that an early error still gets its status, and a small
 * response its summary. Later errors go into the body.
 */
export interface QueryResponse {
  setHeader(name: string, value: string): void;
  /** Resolves when the client has taken enough for more to be sent. */
  write(bytes: Buffer): Promise<void>;
  finish(summary: Summary): Promise<void>;
  fail(exception: ClickHouseException): Promise<void>;
}

export interface QueryResponseOptions {
  compress: boolean;
  version: string;
  signal: AbortSignal;
}

const HELD_BACK_BYTES = 1024 * 1024;

/** A client that takes nothing for so long gives its place free. */
const STALLED_MS = 60_000;

export function createQueryResponse(
  request: IncomingMessage,
  response: ServerResponse,
  options: QueryResponseOptions,
): QueryResponse {
  const started = process.hrtime.bigint();
  const exceptionTag = randomBytes(8).toString('hex');
  let held: Buffer[] = [];
  let heldBytes = 0;
  let body: Writable | undefined;

  function startBody(): Writable {
    response.setHeader('X-ClickHouse-Exception-Tag', exceptionTag);
    const codec = options.compress ? acceptedCodec(request) : undefined;
    if (codec === undefined) return response;
    response.setHeader('Content-Encoding', codec);
    const encoder = encoders[codec]();
    encoder.pipe(response);
    return encoder;
  }

  async function send(to: Writable, bytes: Buffer): Promise<void> {
    if (to.write(bytes)) return;
    const stalled = AbortSignal.timeout(STALLED_MS);
    try {
      await once(to, 'drain', { signal: AbortSignal.any([options.signal, stalled]) });
    } catch (error) {
      response.destroy();
      throw error;
    }
  }

  /** Resolves when all is handed to the operating system, or the client has left. */
  async function end(to: Writable, bytes: string | Buffer = ''): Promise<void> {
    to.end(bytes);
    await finished(response).catch(() => undefined);
  }

  async function sendHeld(): Promise<Writable> {
    const [bytes, to] = [Buffer.concat(held), (body = startBody())];
    held = [];
    if (bytes.length > 0) await send(to, bytes);
    return to;
  }

  return {
    setHeader: (name, value) => response.setHeader(name, value),
    async write(bytes) {
      if (body !== undefined) return send(body, bytes);
      held.push(bytes);
      heldBytes += bytes.length;
      if (heldBytes >= HELD_BACK_BYTES) await sendHeld();
    },
    async finish(summary) {
      if (body === undefined) {
        response.setHeader('X-ClickHouse-Summary', renderSummary(summary, started));
      }
      await end(body ?? (await sendHeld()));
    },
    async fail(exception) {
      const text = `${exception.message} (version ${options.version} (official build))\n`;
      if (body === undefined) {
        response.writeHead(statusOfException(exception.code), {
          'Content-Type': 'text/plain; charset=UTF-8',
          'X-ClickHouse-Exception-Code': exception.code,
        });
        body = response;
        await end(response, text);
      } else {
        await end(body, exceptionBlock(exceptionTag, text));
      }
      // What is left of the body would stand in the way of the next request.
      request.unpipe();
      request.resume();
    },
  };
}

/** Formats an exception that is sent after the status (ClickHouse 25.11 and later). */
function exceptionBlock(tag: string, text: string): string {
  const marker = '__exception__';
  return `\r\n${marker}\r\n${tag}\r\n${text}${Buffer.byteLength(text)} ${tag}\r\n${marker}\r\n`;
}

function renderSummary(summary: Summary, started: bigint): string {
  const figures = {
    read_rows: 0,
    read_bytes: 0,
    written_rows: 0,
    written_bytes: 0,
    total_rows_to_read: 0,
    result_rows: 0,
    result_bytes: 0,
    elapsed_ns: process.hrtime.bigint() - started,
    ...summary,
  };
  return JSON.stringify(
    Object.fromEntries(Object.entries(figures).map(([name, value]) => [name, String(value)])),
  );
}

type Codec = 'gzip' | 'zstd' | 'br';

function acceptedCodec(request: IncomingMessage): Codec | undefined {
  const accepted = request.headers['accept-encoding'] ?? '';
  return (['gzip', 'zstd', 'br'] as const).find((codec) => accepted.includes(codec));
}

// Fast levels: the server is on the same machine as its clients.
const encoders = {
  gzip: () => createGzip({ level: 1 }),
  zstd: () => createZstdCompress(),
  br: () => createBrotliCompress({ params: { [constants.BROTLI_PARAM_QUALITY]: 1 } }),
};
