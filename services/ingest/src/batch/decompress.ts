import {
  constants,
  createBrotliDecompress,
  createGunzip,
  createInflate,
  createZstdDecompress,
} from 'node:zlib';
import type { BatchEncoding } from '@cellarman/contracts';
import { BatchRefusal, noRoom } from './batch-refusal.ts';
import type { Reservation } from './reservation.ts';
import { collectBytes } from './collect-bytes.ts';
import type { ByteCollector } from './collect-bytes.ts';

const CHUNK_BYTES = 65_536;
/** What most bodies shrink to; a wrong guess costs a copy. */
const USUAL_RATIO = 8;
/** RFC 9659: no more than 8 MiB for the content coding zstd. Without a bound a frame may ask for 128 MiB. */
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
 * Decompresses chunk by chunk outside the event loop, and stops at the limit: of a bomb no more than that ever exists.
 * Rejects with a `BatchRefusal`.
 */
export function decompress(
  compressed: Buffer,
  encoding: BatchEncoding,
  { limit, memory }: { limit: number; memory: Reservation },
): Promise<ByteCollector> {
  const paid = Math.min(limit, Math.max(CHUNK_BYTES, compressed.length * USUAL_RATIO));
  if (!memory.grow(paid)) return Promise.reject(noRoom());
  const collector = collectBytes({ paid, limit, memory });
  return new Promise((resolve, reject) => {
    const stream = DECOMPRESSORS[encoding]();
    const refuse = (refusal: BatchRefusal) => {
      stream.destroy();
      reject(refusal);
    };
    stream.on('data', (chunk: Buffer) => {
      try {
        collector.add(chunk);
      } catch (error) {
        refuse(error as BatchRefusal);
      }
    });
    stream.on('error', (error) => {
      refuse(
        new BatchRefusal(
          'invalid_encoding',
          `The body cannot be decompressed as ${encoding}: ${error.message}`,
        ),
      );
    });
    stream.on('end', () => {
      // Node ignores what follows the end of the compressed data. Nobody is to believe that it was stored.
      if (stream.bytesWritten === compressed.length) resolve(collector);
      else refuse(new BatchRefusal('invalid_encoding', `Something follows the end of the ${encoding} data`));
    });
    stream.end(compressed);
  });
}
