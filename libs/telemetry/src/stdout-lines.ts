import { writeSync } from 'node:fs';
import type { DestinationStream } from 'pino';

/** So much is kept for a reader that is behind. What comes while it is full is left out. */
const MOST_WAITING_BYTES = 1024 * 1024;
const TRY_AGAIN_MS = 100;
/** What the end of the process grants a reader that is behind. */
const LAST_LINES_MS = 500;
const LOOK_EVERY_MS = 5;

/**
 * Lines on stdout, for a reader that may be slow, stuck or gone. It holds up neither the process nor its end, and takes
 * little of its memory. Pino's own way keeps everything and at the end writes on for ever when nobody reads.
 */
export function stdoutLines(): DestinationStream {
  // To ask for it makes Node open it, and then a full pipe refuses instead of blocking.
  const { fd } = process.stdout;
  const waiting: Buffer[] = [];
  let waitingBytes = 0;

  /** @returns whether all of it is written, or nobody will ever take it */
  function writeWaiting(): boolean {
    for (let next = waiting[0]; next !== undefined; next = waiting[0]) {
      let written = next.length;
      try {
        written = writeSync(fd, next);
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === 'EAGAIN') return false;
        // The reader is gone or the disk is full. The next line finds out anew.
      }
      waitingBytes -= written;
      if (written === next.length) waiting.shift();
      else waiting[0] = next.subarray(written);
    }
    return true;
  }

  function tryAgain(): void {
    if (writeWaiting()) process.off('exit', writeLast);
    else setTimeout(tryAgain, TRY_AGAIN_MS).unref();
  }

  function writeLast(): void {
    const deadline = performance.now() + LAST_LINES_MS;
    const nobody = new Int32Array(new SharedArrayBuffer(4));
    while (!writeWaiting() && performance.now() < deadline) Atomics.wait(nobody, 0, 0, LOOK_EVERY_MS);
  }

  return {
    write(line) {
      const bytes = Buffer.from(line);
      if (waitingBytes + bytes.length > MOST_WAITING_BYTES) return;
      const isFirst = waiting.push(bytes) === 1;
      waitingBytes += bytes.length;
      // Whoever is behind is asked again by the timer.
      if (!isFirst || writeWaiting()) return;
      process.on('exit', writeLast);
      setTimeout(tryAgain, TRY_AGAIN_MS).unref();
    },
  };
}
