import { constants, gzipSync, zstdCompressSync } from 'node:zlib';

/** How the producer compresses record batches. */
export const COMPRESSIONS = ['none', 'gzip', 'zstd'] as const;
export type Compression = (typeof COMPRESSIONS)[number];

interface Codec {
  /** In the attributes of a record batch. */
  attribute: number;
  compress: (records: Buffer) => Buffer;
}

const NONE: Codec = { attribute: 0, compress: (records) => records };
/** The lowest levels: higher ones take up to four times the CPU for a twentieth of the bytes (docs/performance.md). */
const GZIP: Codec = { attribute: 1, compress: (records) => gzipSync(records, { level: 1 }) };
const ZSTD_PARAMETERS = { params: { [constants.ZSTD_c_compressionLevel]: 1 } };
const ZSTD: Codec = { attribute: 4, compress: (records) => zstdCompressSync(records, ZSTD_PARAMETERS) };
const CODECS: Readonly<Record<Compression, Codec>> = { none: NONE, gzip: GZIP, zstd: ZSTD };

/** Each call costs about 27 µs whatever it compresses: for fewer messages that is more than 5 % of what they cost anyway. */
const FEWEST_MESSAGES = 8;

/** Returns the records, compressed where that pays, and the attributes that say so. */
export function compressRecords(
  records: Buffer,
  count: number,
  compression: Compression,
): { attributes: number; records: Buffer } {
  const { attribute, compress } = count < FEWEST_MESSAGES ? NONE : CODECS[compression];
  const compressed = compress(records);
  if (compressed.length >= records.length) return { attributes: 0, records };
  return { attributes: attribute, records: compressed };
}
