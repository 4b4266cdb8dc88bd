/** Memory for the lines of batches. A fresh 20 MB for each insert would keep the garbage collector behind. */
export interface LineBuffers {
  take(): Buffer;
  /** A larger buffer with the first `used` bytes of the old one, which goes back. */
  grow(old: Buffer, used: number, atLeast: number): Buffer;
  giveBack(buffer: Buffer): void;
}

/** A quiet sink needs no more than this. */
const SMALLEST = 64 * 1024;

/** @param keep how many returned buffers are kept for later batches; keep as many as are in use concurrently */
export function createLineBuffers(keep: number): LineBuffers {
  const free: Buffer[] = [];

  const giveBack = (buffer: Buffer) => {
    free.push(buffer);
    free.sort((a, b) => b.length - a.length);
    free.length = Math.min(free.length, keep);
  };

  return {
    take: () => free.shift() ?? Buffer.allocUnsafeSlow(SMALLEST),
    grow(old, used, atLeast) {
      const larger = Buffer.allocUnsafeSlow(Math.max(old.length * 2, atLeast));
      old.copy(larger, 0, 0, used);
      giveBack(old);
      return larger;
    },
    giveBack,
  };
}
