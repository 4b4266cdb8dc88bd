import { writeSync } from 'node:fs';
import type { DestinationStream } from 'pino';

/** So much is kept for a reader that is behind. Then lines are left out until half of it is taken. */
const MOST_WAITING_BYTES = 1024 * 1024;
const TRY_AGAIN_MS = 100;
/** What the end of the process grants a reader that is behind. */
const LAST_LINES_MS = 500;
const POLL_MS = 5;

/**
 * Lines on stdout, for a reader that may be slow, stuck or gone. It holds up neither the process nor its end, takes little of
 * its memory, and reports lines that were left out. Pino's own way keeps everything and at the end writes on for ever when
 * nobody reads.
 *
 * @param base what each line says, besides its own
 */
export function stdoutLines(base: object): DestinationStream {
  // Reading this property makes Node open the stream; writes to a full pipe then fail instead of blocking.
  const { fd } = process.stdout;
  const waiting: Buffer[] = [];
  let waitingBytes = 0;
  let leftOut = 0;

  function keep(line: string): void {
    const bytes = Buffer.from(line);
    waiting.push(bytes);
    waitingBytes += bytes.length;
  }

  function reportGap(): void {
    if (leftOut === 0) return;
    const msg = `${leftOut} lines were dropped here because standard output was not read fast enough`;
    keep(`${JSON.stringify({ level: 'warn', time: new Date().toISOString(), ...base, msg })}\n`);
    leftOut = 0;
  }

  /** @returns whether all of it is written, or nobody will ever take it */
  function writeWaiting(): boolean {
    for (;;) {
      if (waitingBytes < MOST_WAITING_BYTES / 2) reportGap();
      const [next] = waiting;
      if (next === undefined) return true;
      let written = next.length;
      try {
        written = writeSync(fd, next);
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === 'EAGAIN') return false;
        // The reader is gone or the disk is full. The next line tries again.
      }
      waitingBytes -= written;
      if (written === next.length) waiting.shift();
      else waiting[0] = next.subarray(written);
    }
  }

  function tryAgain(): void {
    if (writeWaiting()) process.off('exit', writeLast);
    else setTimeout(tryAgain, TRY_AGAIN_MS).unref();
  }

  function writeLast(): void {
    const deadline = performance.now() + LAST_LINES_MS;
    const nobody = new Int32Array(new SharedArrayBuffer(4));
    while (!writeWaiting() && performance.now() < deadline) Atomics.wait(nobody, 0, 0, POLL_MS);
  }

  return {
    write(line) {
      if (leftOut > 0 || waitingBytes + line.length > MOST_WAITING_BYTES) {
        leftOut += 1;
        return;
      }
      keep(line);
      // A slow reader is tried again by the timer.
      if (waiting.length > 1 || writeWaiting()) return;
      process.on('exit', writeLast);
      setTimeout(tryAgain, TRY_AGAIN_MS).unref();
    },
  };
}
