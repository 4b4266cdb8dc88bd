const MAGIC = 0x184d2204;
const HAS_BLOCK_CHECKSUMS = 0x10;
const HAS_CONTENT_SIZE = 0x08;
/** By the code of a frame, which counts from 4. */
const BLOCK_BYTES = [64 * 1024, 256 * 1024, 1024 * 1024, 4 * 1024 * 1024];
const IS_STORED = 0x8000_0000;
/** A length of 15 goes on in the bytes after it, until one is not 255. */
const MORE = 15;
const SHORTEST_MATCH = 4;
/** Each byte of a block becomes this many at most. */
const LARGEST_RATIO = 255;

/**
 * Decompresses an LZ4 frame (https://github.com/lz4/lz4/blob/dev/doc/lz4_Frame_format.md). The packages that do so in
 * JavaScript have no bound, and the fast ones bring a binary for each platform. Checksums are not compared: Kafka has one
 * over the whole batch.
 *
 * @throws when it is not such a frame, and when it has more than `maxBytes`
 */
export function decompressLz4(frame: Buffer, maxBytes: number): Buffer {
  if (frame.length < 7 || frame.readUInt32LE(0) !== MAGIC) throw new Error('it is not an LZ4 frame');
  const flags = frame.readUInt8(4);
  const blockBytes = BLOCK_BYTES[((frame.readUInt8(5) >> 4) & 7) - 4];
  if (blockBytes === undefined) throw new Error('the LZ4 frame has an unknown block size');
  const afterBlock = (flags & HAS_BLOCK_CHECKSUMS) === 0 ? 0 : 4;
  const begin = (flags & HAS_CONTENT_SIZE) === 0 ? 7 : 15;

  const blocks: { start: number; end: number; isStored: boolean }[] = [];
  let mostBytes = 0;
  for (let at = begin; at + 4 <= frame.length;) {
    const word = frame.readUInt32LE(at);
    if (word === 0) break;
    const isStored = word >= IS_STORED;
    const start = at + 4;
    const end = start + (isStored ? word - IS_STORED : word);
    if (end > frame.length) throw new Error('the LZ4 frame is cut off');
    blocks.push({ start, end, isStored });
    mostBytes += isStored ? end - start : Math.min(blockBytes, (end - start) * LARGEST_RATIO);
    at = end + afterBlock;
  }

  const plain = Buffer.allocUnsafeSlow(Math.min(mostBytes, maxBytes));
  let length = 0;
  for (const { start, end, isStored } of blocks) {
    length = isStored
      ? copyLiterals(frame, start, end, plain, length)
      : readBlock(frame, start, end, plain, length);
  }
  return plain.subarray(0, length);
}

/** Returns the position behind the bytes of the block. */
function readBlock(from: Buffer, start: number, end: number, to: Buffer, begin: number): number {
  let next = start;
  let at = begin;

  function readLength(short: number): number {
    let length = short;
    for (let more = short === MORE ? 255 : 0; more === 255; length += more) {
      if (next >= end) throw new Error('an LZ4 block is cut off');
      more = from[next++] as number;
    }
    return length;
  }

  while (next < end) {
    const token = from[next++] as number;
    const literals = readLength(token >> 4);
    if (next + literals > end) throw new Error('an LZ4 block is cut off');
    at = copyLiterals(from, next, next + literals, to, at);
    next += literals;
    // The last sequence has no match.
    if (next === end) return at;
    if (next + 2 > end) throw new Error('an LZ4 block is cut off');
    const distance = from.readUInt16LE(next);
    next += 2;
    const stop = at + readLength(token & MORE) + SHORTEST_MATCH;
    if (distance === 0 || distance > at) throw new Error('an LZ4 block refers to bytes before its start');
    if (stop > to.length) throw tooLong(to);
    // One by one: a match may overlap what it writes.
    for (let copied = at - distance; at < stop;) to[at++] = to[copied++] as number;
  }
  return at;
}

function copyLiterals(from: Buffer, start: number, end: number, to: Buffer, at: number): number {
  if (at + end - start > to.length) throw tooLong(to);
  return at + from.copy(to, at, start, end);
}

function tooLong(to: Buffer): Error {
  return new Error(`it has more than ${to.length} bytes`);
}
