import {
  constants,
  createBrotliDecompress,
  createGunzip,
  createInflate,
  createZstdDecompress,
} from 'node:zlib';
import type { BatchEncoding } from '@cellarman/contracts';
import { BatchRejection, noRoom } from '../batch-rejection.ts';
import type { Reservation } from '../reservation.ts';
import { collectBytes } from './collect-bytes.ts';
import type { ByteCollector } from './collect-bytes.ts';

const CHUNK_BYTES = 65_536;
/** What most bodies shrink to; a wrong guess costs a copy. */
const USUAL_RATIO = 8;
/** RFC 9659: at most 8 MiB for the content coding zstd. Without this bound a frame may require a window of 128 MiB. */
const ZSTD_WINDOW_LOG = 23;

const DECOMPRESSORS = {
  gzip: () => createGunzip({ chunkSize: CHUNK_BYTES }),
  deflate: () => createInflate({ chunkSize: CHUNK_BYTES }),
  br: () => createBrotliDecompress({ chunkSize: CHUNK_BYTES }),
  zstd: () =>
    createZstdDecompress({
      chunkSize: CHUNK_BYTES,
      params: { [constants.ZSTD_d_windowLogMax]: ZSTD_WINDOW_LOG },
    }),
} satisfies Record<BatchEncoding, () => unknown>;

/**
 * 10,000 readings of one sensor with one value shrink to 1/117 with zstd and 1/105 with brotli, to 1/138 at zstd's highest
 * levels (measured, Node 24.21). A megabyte of whitespace shrinks to 1/1,000 with gzip, and further with the others.
 */
const MAX_RATIO = 500;
/** Small bodies may shrink as far as they like: they cost little. */
const ANY_RATIO_BYTES = 262_144;

export interface DecompressOptions {
  limit: number;
  memory: Reservation;
  /** Called with the number of bytes so far before they are kept. What it throws ends the decompression. */
  pay: (bytes: number) => void | Promise<void>;
}

/**
 * Decompresses chunk by chunk outside the event loop, and stops at the limit, at an absurd ratio, and when `pay` throws: of a
 * bomb no more than that ever exists.
 *
 * @throws {BatchRejection}
 */
export async function decompress(
  compressed: Buffer,
  encoding: BatchEncoding,
  { limit, memory, pay }: DecompressOptions,
): Promise<ByteCollector> {
  const paid = Math.min(limit, Math.max(CHUNK_BYTES, compressed.length * USUAL_RATIO));
  if (!memory.grow(paid)) throw noRoom();
  const collector = collectBytes({ paid, limit, memory });
  const stream = DECOMPRESSORS[encoding]();
  stream.end(compressed);
  let length = 0;
  try {
    for await (const chunk of stream as AsyncIterable<Buffer>) {
      length += chunk.length;
      if (length > ANY_RATIO_BYTES && length > compressed.length * MAX_RATIO) {
        throw new BatchRejection(
          'payload_too_large',
          `The body must not decompress to more than ${MAX_RATIO} times its size`,
        );
      }
      await pay(length);
      collector.add(chunk);
    }
  } catch (error) {
    const { errored } = stream;
    if (errored === null || error !== errored) throw error;
    throw new BatchRejection(
      'invalid_encoding',
      `The body cannot be decompressed as ${encoding}: ${errored.message}`,
    );
  }
  // Node ignores what follows the end of the compressed data. Nobody is to believe that it was stored.
  if (stream.bytesWritten !== compressed.length) {
    throw new BatchRejection('invalid_encoding', `Something follows the end of the ${encoding} data`);
  }
  return collector;
}
