import type { BatchEncoding } from '@cellarman/contracts';
import { BatchRejection, isNoRoom } from './batch-rejection.ts';

/**
 * A batch costs one token per reading or per this number of bytes, whichever is more. To decompress and scan them takes about
 * as much CPU time as a single reading (docs/performance.md), and no valid reading is larger without surrounding whitespace.
 */
const BYTES_PER_TOKEN = 4_096;

/** @param bytes of the body, as it was sent or as it was decompressed */
export function costOfBytes(bytes: number): number {
  return Math.ceil(bytes / BYTES_PER_TOKEN);
}

/**
 * What a body costs that cannot be decompressed, or not as far as it goes, besides what came out of it: to set up a
 * decompressor and its window takes 3 ms of CPU time with zstd, and the garbage collector as long again.
 */
const COST_OF_REJECTED_BODY = 1_024;

/** @param error of the decompression */
export function debtAfter(error: unknown, encoding: BatchEncoding): number {
  if (isNoRoom(error)) return 0;
  // Brotli decompresses a whole window before the first byte comes out, also when the key cannot pay for it: 14 bytes that
  // stand for 4 MiB take 10 ms. The windows of the others are small, or filled while bytes come out.
  return encoding === 'br' || error instanceof BatchRejection ? COST_OF_REJECTED_BODY : 0;
}
