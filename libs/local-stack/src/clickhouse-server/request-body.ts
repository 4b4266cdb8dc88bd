import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate, createZstdDecompress } from 'node:zlib';
import { ClickHouseException } from './clickhouse-exception.ts';

/** A client that sends nothing for so long gives its place free. */
const STALLED_MS = 120_000;

/**
 * Returns the body, decompressed by its Content-Encoding. Reading begins with the first `next()`; a caller that stops early can
 * still respond.
 */
export async function* decodedBody(request: IncomingMessage): AsyncGenerator<Buffer, void> {
  // Time-outs of the socket count only while it is silent.
  request.setTimeout(STALLED_MS, () => request.destroy(new Error('The body stalled')));
  try {
    for await (const chunk of decode(request).iterator({ destroyOnReturn: false })) yield chunk as Buffer;
  } catch (error) {
    if (error instanceof ClickHouseException) throw error;
    const reason = error instanceof Error ? error.message : String(error);
    throw ClickHouseException.reject('BAD_ARGUMENTS', `Cannot read the request body: ${reason}`);
  } finally {
    request.setTimeout(0);
  }
}

function decode(request: IncomingMessage): Readable {
  const encoding = request.headers['content-encoding'] ?? 'identity';
  if (encoding === 'identity') return request;
  const decoder = decoders[encoding]?.();
  if (decoder === undefined) {
    throw ClickHouseException.reject('UNKNOWN_COMPRESSION_METHOD', `Unknown compression method ${encoding}`);
  }
  // Not `pipeline`: it destroys the request on a malformed body, and no response could be sent.
  request.once('error', (error) => decoder.destroy(error));
  return request.pipe(decoder);
}

const decoders: Record<string, () => Readable & NodeJS.WritableStream> = {
  gzip: createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
  zstd: createZstdDecompress,
};

/** The whole body, which may not be larger than `maxBytes` after decompression. */
export async function readWhole(body: AsyncIterable<Buffer>, maxBytes: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of body) {
    chunks.push(chunk);
    bytes += chunk.length;
    if (bytes > maxBytes) {
      throw ClickHouseException.reject(
        'QUERY_IS_TOO_LARGE',
        `The statement is longer than ${maxBytes} bytes. Put the query of an INSERT into the URL, and its data alone into the body`,
      );
    }
  }
  return Buffer.concat(chunks);
}
