import type { BatchEncoding } from '@cellarman/contracts';

/**
 * A batch costs a token for each reading, or for so many bytes, whichever is more. To decompress and scan them takes about as
 * much CPU time as a single reading (docs/performance.md), and no valid reading is larger without whitespace around it.
 */
const BYTES_PER_TOKEN = 4_096;

/** @param bytes of the body, as it was sent or as it was decompressed */
export function costOfBytes(bytes: number): number {
  return Math.ceil(bytes / BYTES_PER_TOKEN);
}

/**
 * What a body costs that cannot be decompressed, or not as far as it goes, besides what came out of it. Brotli decompresses a
 * whole window before the first byte comes out: 14 bytes that stand for 4 MiB take 10 ms. The windows of the others are small,
 * or filled while bytes come out.
 */
export const COST_OF_BROKEN_ENCODING = { gzip: 0, deflate: 0, br: 1_024, zstd: 0 } satisfies Record<
  BatchEncoding,
  number
>;
