/**
 * A batch costs a token for each reading, or for so many bytes, whichever is more. To decompress and scan them takes about as
 * much CPU time as a single reading (docs/performance.md), and no valid reading is larger without whitespace around it.
 */
const BYTES_PER_TOKEN = 4_096;

/** @param bytes of the body, as it was sent or as it was decompressed */
export function costOfBytes(bytes: number): number {
  return Math.ceil(bytes / BYTES_PER_TOKEN);
}
