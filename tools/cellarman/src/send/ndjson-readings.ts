import { MOST_BYTES } from './file-reading.ts';
import type { FileReading } from './file-reading.ts';

const LINE_FEED = 0x0a;

/**
 * Yields the lines of a file unchanged, as bytes: ingest validates them. Lines of nothing but whitespace are skipped.
 *
 * Of a line that is too long, only the beginning is kept, which is still too long for ingest and rejected there.
 */
export async function* ndjsonReadings(
  chunks: AsyncIterable<Buffer>,
): AsyncGenerator<FileReading, void, undefined> {
  let line = 1;
  let begun: Buffer[] = [];
  let size = 0;

  const keep = (part: Buffer): void => {
    if (size < MOST_BYTES) begun.push(part.subarray(0, MOST_BYTES - size));
    size += part.length;
  };
  const take = (): Buffer => {
    const whole = begun.length === 1 && begun[0] !== undefined ? begun[0] : Buffer.concat(begun);
    begun = [];
    size = 0;
    return whole;
  };

  for await (const chunk of chunks) {
    let from = 0;
    for (let end = chunk.indexOf(LINE_FEED); end !== -1; end = chunk.indexOf(LINE_FEED, from)) {
      keep(chunk.subarray(from, end));
      from = end + 1;
      const json = take();
      if (!isBlank(json)) yield { line, json };
      line += 1;
    }
    if (from < chunk.length) keep(chunk.subarray(from));
  }
  const json = take();
  if (!isBlank(json)) yield { line, json };
}

/** JSON's whitespace. */
function isBlank(bytes: Buffer): boolean {
  return bytes.every((byte) => byte === 0x20 || byte === 0x09 || byte === 0x0d);
}
