import { BatchRejection, noRoom } from './batch-rejection.ts';
import type { Reservation } from './reservation.ts';

/** Chunks become one buffer that never has more than `limit` bytes and is paid for before it is allocated. */
export interface ByteCollector {
  /** @throws {BatchRejection} over the limit, or when there is no room in memory */
  add(chunk: Buffer): void;
  /** Everything so far. */
  bytes(): Buffer;
  /** What it has reserved of `memory`. */
  readonly reserved: number;
}

export interface CollectBytesOptions {
  /** How many bytes have been reserved for it already, elsewhere: its first size. */
  paid: number;
  limit: number;
  memory: Reservation;
}

export function collectBytes({ paid, limit, memory }: CollectBytesOptions): ByteCollector {
  let capacity = Math.min(paid, limit);
  let only: Buffer | undefined;
  let buffer: Buffer | undefined;
  let length = 0;
  let reserved = 0;

  /** Doubles, so that each byte is copied less than twice. The old and the new one exist together for a moment. */
  function enlarge(needed: number): Buffer {
    const before = buffer === undefined ? 0 : capacity;
    const after = Math.max(capacity, Math.min(limit, Math.max(needed, capacity * 2)));
    const size = needed <= capacity ? capacity : after;
    const more = buffer === undefined ? Math.max(0, size - paid) : size;
    if (!memory.grow(more)) throw noRoom();
    const larger = Buffer.allocUnsafeSlow(size);
    (buffer ?? only)?.copy(larger, 0, 0, length);
    memory.shrink(before);
    reserved += more - before;
    capacity = size;
    return larger;
  }

  return {
    add(chunk) {
      const needed = length + chunk.length;
      if (needed > limit) {
        throw new BatchRejection('payload_too_large', `The body must have at most ${limit} bytes`);
      }
      if (length === 0 && needed <= capacity) {
        // Most bodies are one chunk, and that needs no copy.
        only = chunk;
      } else {
        if (buffer === undefined || needed > capacity) buffer = enlarge(needed);
        chunk.copy(buffer, length);
      }
      length = needed;
    },
    bytes: () => (buffer ?? only ?? Buffer.alloc(0)).subarray(0, length),
    get reserved() {
      return reserved;
    },
  };
}
