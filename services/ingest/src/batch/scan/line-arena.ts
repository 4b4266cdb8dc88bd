import { fieldsLength, lineTail, writeFields } from '@cellarman/reading';
import type { FieldRanges } from '@cellarman/reading';
import { noRoom } from '../batch-rejection.ts';
import type { Reservation } from '../reservation.ts';

/** Writes the values of the messages of one batch. */
export interface LineArena {
  /** @throws {BatchRejection} when there is no room in memory */
  add(body: Buffer, reading: FieldRanges): Buffer;
  /** What it has reserved. */
  readonly bytes: number;
}

const LARGEST_SLAB = 262_144;

/**
 * Many lines lie in one slab: a buffer for each of them would cost more than to fill it.
 *
 * @param bodyLength how many bytes the readings have
 */
export function createLineArena(options: {
  receivedAt: string;
  keyId: string;
  bodyLength: number;
  memory: Reservation;
}): LineArena {
  const { receivedAt, keyId, bodyLength, memory } = options;
  const tail = Buffer.from(lineTail(receivedAt, keyId), 'latin1');
  // A reading has about as many bytes as the end of its line; what is left over goes with the slab.
  const usualSlab = Math.min(LARGEST_SLAB, bodyLength * 2 + tail.length);
  let slab = Buffer.alloc(0);
  let used = 0;
  let bytes = 0;

  return {
    add(body, reading) {
      const length = fieldsLength(reading) + tail.length;
      if (used + length > slab.length) {
        const size = Math.max(usualSlab, length);
        if (!memory.grow(size)) throw noRoom();
        bytes += size;
        slab = Buffer.allocUnsafeSlow(size);
        used = 0;
      }
      const end = writeFields(slab, used, body, reading);
      tail.copy(slab, end);
      const line = slab.subarray(used, used + length);
      used += length;
      return line;
    },
    get bytes() {
      return bytes;
    },
  };
}
