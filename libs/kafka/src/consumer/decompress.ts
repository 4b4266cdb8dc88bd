import { createRequire } from 'node:module';
import { gunzipSync, zstdDecompressSync } from 'node:zlib';
import kafkajs from 'kafkajs';
import type { CompressionTypes as CompressionType } from 'kafkajs';
import { decompressLz4 } from './decompress-lz4.ts';

/**
 * What a record batch may have. The topic takes 1 MiB after compression, and readings become a sixth to a twelfth of their
 * size: what is far larger was made to fill the memory of its readers.
 */
const MAX_BYTES = 16 * 1024 * 1024;
const MAX_RECORDS = 100_000;

const { CompressionCodecs, CompressionTypes } = kafkajs;
const { uncompress } = createRequire(import.meta.url)('snappyjs') as {
  uncompress: (bytes: Buffer, maxBytes: number) => Buffer;
};

type Codec = Exclude<CompressionType, CompressionType.None>;
type Decompress = (bytes: Buffer, maxBytes: number) => Buffer;

const DECOMPRESS: readonly (readonly [Codec, Decompress])[] = [
  [CompressionTypes.GZIP, (bytes, maxOutputLength) => gunzipSync(bytes, { maxOutputLength })],
  [CompressionTypes.Snappy, decompressSnappy],
  [CompressionTypes.LZ4, decompressLz4],
  [CompressionTypes.ZSTD, (bytes, maxOutputLength) => zstdDecompressSync(bytes, { maxOutputLength })],
];

/** Lets kafkajs read every codec that Kafka has. By itself it reads gzip, without a bound, and ends at any other. */
export function readAllCodecs(): void {
  for (const [type, decompress] of DECOMPRESS) {
    CompressionCodecs[type] = () => ({
      compress: () => Promise.reject(new Error('kafkajs does not compress here')),
      // The second argument comes from our patch.
      decompress: (bytes: Buffer, records: number) => decompressBatch(decompress, bytes, records),
    });
  }
}

/**
 * A batch takes less than a millisecond: handing it to another thread would take longer.
 *
 * @throws when the batch is not valid or too large; the message says which
 */
async function decompressBatch(decompress: Decompress, bytes: Buffer, records: number): Promise<Buffer> {
  if (records > MAX_RECORDS) throw unreadable(`it has ${records} records, more than ${MAX_RECORDS}`);
  try {
    return await Promise.resolve(decompress(bytes, MAX_BYTES));
  } catch (error) {
    throw unreadable(error instanceof Error ? error.message : String(error));
  }
}

const unreadable = (reason: string): Error => new Error(`the record batch cannot be decompressed: ${reason}`);

/** Java's library puts blocks into a frame of its own, and other clients write one block without it. */
const XERIAL_MAGIC = Buffer.from([0x82, 0x53, 0x4e, 0x41, 0x50, 0x50, 0x59, 0x00]);
/** The magic and two version numbers. */
const XERIAL_HEADER_BYTES = 16;

function decompressSnappy(bytes: Buffer, maxBytes: number): Buffer {
  if (!bytes.subarray(0, XERIAL_MAGIC.length).equals(XERIAL_MAGIC)) return uncompress(bytes, maxBytes);
  const blocks: Buffer[] = [];
  let left = maxBytes;
  for (let at = XERIAL_HEADER_BYTES; at < bytes.length;) {
    const start = at + 4;
    const end = start + bytes.readUInt32BE(at);
    const block = uncompress(bytes.subarray(start, end), left);
    blocks.push(block);
    left -= block.length;
    at = end;
  }
  return Buffer.concat(blocks);
}
