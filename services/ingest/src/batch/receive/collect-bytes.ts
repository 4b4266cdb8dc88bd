import { BatchRejection, noRoom } from '../batch-rejection.ts';
import type { Reservation } from '../reservation.ts';

/** Chunks become one buffer, which has at most `limit` bytes. Everything is paid for before it is kept. */
export interface ByteCollector {
  /** @throws {BatchRejection} over the limit, or when there is no room in memory */
  add(chunk: Buffer): void;
  /**
   * Everything so far.
   *
   * @throws {BatchRejection} when there is no room for the chunks and the buffer, which exist together for a moment
   */
  bytes(): Buffer;
  /** What it has reserved of `memory`. */
  readonly reserved: number;
}

export interface CollectBytesOptions {
  /** How many bytes have been reserved for it already, elsewhere. */
  paid: number;
  limit: number;
  memory: Reservation;
}

/**
 * The chunks are copied once, at the end: a buffer that grows with each of them would cost the garbage collector more than the
 * chunks, most of all where they are a bomb.
 */
export function collectBytes({ paid, limit, memory }: CollectBytesOptions): ByteCollector {
  let chunks: Buffer[] = [];
  let length = 0;
  let reserved = 0;

  return {
    add(chunk) {
      const needed = length + chunk.length;
      if (needed > limit) {
        throw new BatchRejection('payload_too_large', `The body must have at most ${limit} bytes`);
      }
      const missing = Math.max(0, needed - paid - reserved);
      if (!memory.grow(missing)) throw noRoom();
      reserved += missing;
      chunks.push(chunk);
      length = needed;
    },
    bytes() {
      if (chunks.length > 1) {
        if (!memory.grow(length)) throw noRoom();
        chunks = [Buffer.concat(chunks)];
        memory.shrink(length);
      }
      return chunks[0] ?? Buffer.alloc(0);
    },
    get reserved() {
      return reserved;
    },
  };
}
