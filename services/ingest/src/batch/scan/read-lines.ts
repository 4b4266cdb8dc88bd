import { scanReadingAt } from '../../scan/scan-reading.ts';
import { createScanState } from '../../scan/scan-state.ts';
import type { BatchReader } from './batch-reader.ts';
import { tooLong } from './batch-reader.ts';
import { skipGap } from './skip-gap.ts';

const LINE_FEED = 0x0a;

/** NDJSON: one reading to a line. A broken line is rejected alone, and lines of nothing but whitespace do not count. */
export function readLines(bytes: Buffer, maxReadingBytes: number): BatchReader {
  const scan = createScanState();
  let position = 0;
  return {
    bytes,
    get position() {
      return position;
    },
    next() {
      const text = skipGap(bytes, position, bytes.length);
      if (text === bytes.length) return undefined;
      // The line begins with its own whitespace: positions in messages count from there, as in a single reading.
      let start = text;
      while (start > position && bytes[start - 1] !== LINE_FEED) start--;
      const lineFeed = bytes.indexOf(LINE_FEED, text);
      const end = lineFeed < 0 ? bytes.length : lineFeed;
      position = Math.min(end + 1, bytes.length);
      if (end - start > maxReadingBytes) {
        return { ok: false, code: 'payload_too_large', error: tooLong(maxReadingBytes) };
      }
      return scanReadingAt(bytes, start, end, scan);
    },
  };
}
