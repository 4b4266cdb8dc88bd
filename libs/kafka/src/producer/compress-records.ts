import { constants, gzipSync } from 'node:zlib';
import { ZstdCompress } from 'minizlib';

/** How the producer compresses record batches. */
export const COMPRESSIONS = ['none', 'gzip', 'zstd'] as const;
export type Compression = (typeof COMPRESSIONS)[number];

interface Codec {
  /** In the attributes of a record batch. */
  attribute: number;
  compress: (records: Buffer) => Buffer;
}

const NONE: Codec = { attribute: 0, compress: (records) => records };
/** The lowest levels: higher ones take up to four times the CPU for a twentieth of the bytes (docs/performance.md). */
const GZIP: Codec = { attribute: 1, compress: (records) => gzipSync(records, { level: 1 }) };
const ZSTD: Codec = { attribute: 4, compress: createZstd() };
const CODECS: Readonly<Record<Compression, Codec>> = { none: NONE, gzip: GZIP, zstd: ZSTD };

/** Returns the records, compressed where that makes them smaller, and the attributes that say so. */
export function compressRecords(
  records: Buffer,
  count: number,
  compression: Compression,
): { attributes: number; records: Buffer } {
  // A message alone has little that repeats.
  const { attribute, compress } = count > 1 ? CODECS[compression] : NONE;
  const compressed = compress(records);
  if (compressed.length >= records.length) return { attributes: 0, records };
  return { attributes: attribute, records: compressed };
}

/**
 * One context for all batches, each of which becomes a frame. `zstdCompressSync` allocates a context for each call, and V8
 * collects garbage more often for it: 80 µs for eight readings instead of 8.
 */
function createZstd(): Codec['compress'] {
  const options = {
    // Ends the frame with each write.
    flush: constants.ZSTD_e_end,
    params: { [constants.ZSTD_c_compressionLevel]: 1 },
  };
  let context: ZstdCompress | undefined;
  let chunks: Buffer[] = [];

  function open(): ZstdCompress {
    const stream = new ZstdCompress(options);
    // The stream is synchronous: both events are emitted during `write`.
    stream.on('data', (chunk: Buffer) => chunks.push(chunk));
    stream.on('error', (error) => {
      context = undefined;
      throw error;
    });
    return stream;
  }

  return (records) => {
    chunks = [];
    context ??= open();
    context.write(records);
    return Buffer.concat(chunks);
  };
}
