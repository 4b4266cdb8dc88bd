import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate, createZstdDecompress } from 'node:zlib';
import { ClickHouseException } from './clickhouse-exception.ts';

const LINE_FEED = 0x0a;

/** A client that sends nothing for so long gives its place free. */
const STALLED_MS = 120_000;

/** The body as bytes, decompressed as its Content-Encoding says. */
export function decodedBody(request: IncomingMessage): Readable {
  // Time-outs of the socket count only while it is silent.
  request.setTimeout(STALLED_MS, () => request.destroy(new Error('The body stalled')));
  request.once('end', () => request.setTimeout(0));
  const encoding = request.headers['content-encoding'] ?? 'identity';
  if (encoding === 'identity') return request;
  const decoder = decoders[encoding]?.();
  if (decoder === undefined) {
    throw ClickHouseException.refuse('UNKNOWN_COMPRESSION_METHOD', `Unknown compression method ${encoding}`);
  }
  // Not `pipeline`: it would destroy the request on a bad body, and nobody could be answered.
  request.on('error', (error) => decoder.destroy(error));
  request.on('aborted', () => decoder.destroy(new Error('The client left while sending')));
  return request.pipe(decoder);
}

const decoders: Record<string, () => Readable & NodeJS.WritableStream> = {
  gzip: createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
  zstd: createZstdDecompress,
};

/** The whole body, which may not be larger than `maxBytes` after decompression. */
export async function readWhole(body: Readable, maxBytes: number): Promise<Buffer> {
  for await (const piece of readPieces(body, maxBytes, false)) return piece;
  return Buffer.alloc(0);
}

/**
 * The body in pieces of at most `maxBytes`; usually that is one. A larger body is cut behind its
 * last line break when it `consists of lines`, and refused otherwise. Each piece is one INSERT, so
 * an error in a later piece leaves the earlier ones stored, as with the blocks of a large INSERT on
 * a server.
 */
export async function* readPieces(
  body: Readable,
  maxBytes: number,
  consistsOfLines: boolean,
): AsyncGenerator<Buffer, void> {
  let chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of asBodyError(body)) {
    if (bytes + chunk.length > maxBytes) {
      const full = Buffer.concat(chunks);
      const end = consistsOfLines ? full.lastIndexOf(LINE_FEED) + 1 : 0;
      if (end === 0) throw tooLarge(maxBytes, consistsOfLines);
      yield full.subarray(0, end);
      // A copy, so that the large piece can be freed.
      chunks = [Buffer.from(full.subarray(end))];
      bytes = full.length - end;
    }
    chunks.push(chunk);
    bytes += chunk.length;
  }
  if (bytes > 0) yield chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks);
}

async function* asBodyError(body: Readable): AsyncGenerator<Buffer> {
  try {
    for await (const chunk of body) yield chunk as Buffer;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw ClickHouseException.refuse('BAD_ARGUMENTS', `Cannot read the request body: ${reason}`);
  }
}

function tooLarge(maxBytes: number, consistsOfLines: boolean): ClickHouseException {
  return ClickHouseException.refuse(
    'TOO_MANY_BYTES',
    consistsOfLines
      ? `A line of the request body is longer than ${maxBytes} bytes`
      : `The request body is longer than ${maxBytes} bytes, and its format cannot be cut into parts`,
  );
}
