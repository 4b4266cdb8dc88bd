import { crc32 } from 'node:zlib';

export interface Frame {
  png: Buffer;
  /** How long it is shown. */
  ms: number;
}

interface Chunk {
  type: string;
  data: Buffer;
}

const SIGNATURE_BYTES = 8;
/** Type, length and checksum. */
const CHUNK_OVERHEAD = 12;

/**
 * Returns the pictures as one animated PNG that repeats (https://www.w3.org/TR/png-3/#apng-frame-based-animation). All must be
 * of the same size and kind: their compressed pixels are copied.
 */
export function animate(frames: readonly Frame[]): Buffer {
  const [first, ...others] = frames.map(({ png }) => readChunks(png));
  const header = first?.find(({ type }) => type === 'IHDR')?.data;
  if (first === undefined || header === undefined) throw new Error('no pictures');
  for (const other of others)
    if (!other.some(({ type, data }) => type === 'IHDR' && data.equals(header)))
      throw new Error('the pictures have different sizes');

  let sequence = 0;
  const pixels = [first, ...others].flatMap((chunks, index) => {
    const data = Buffer.concat(chunks.filter(({ type }) => type === 'IDAT').map((chunk) => chunk.data));
    const control = Buffer.alloc(26);
    control.writeUInt32BE(sequence++, 0);
    header.copy(control, 4, 0, 8);
    control.writeUInt16BE(frames[index]?.ms ?? 0, 20);
    control.writeUInt16BE(1_000, 22);
    if (index === 0) return [writeChunk('fcTL', control), writeChunk('IDAT', data)];
    const number = Buffer.alloc(4);
    number.writeUInt32BE(sequence++);
    return [writeChunk('fcTL', control), writeChunk('fdAT', Buffer.concat([number, data]))];
  });
  const count = Buffer.alloc(8);
  count.writeUInt32BE(frames.length);
  return Buffer.concat([
    (frames[0]?.png ?? Buffer.alloc(0)).subarray(0, SIGNATURE_BYTES),
    writeChunk('IHDR', header),
    writeChunk('acTL', count),
    ...pixels,
    writeChunk('IEND', Buffer.alloc(0)),
  ]);
}

function readChunks(png: Buffer): Chunk[] {
  const chunks: Chunk[] = [];
  for (let at = SIGNATURE_BYTES; at < png.length; at += CHUNK_OVERHEAD + png.readUInt32BE(at)) {
    const data = png.subarray(at + 8, at + 8 + png.readUInt32BE(at));
    chunks.push({ type: png.toString('latin1', at + 4, at + 8), data });
  }
  return chunks;
}

function writeChunk(type: string, data: Buffer): Buffer {
  const chunk = Buffer.alloc(data.length + CHUNK_OVERHEAD);
  chunk.writeUInt32BE(data.length);
  chunk.write(type, 4, 'latin1');
  data.copy(chunk, 8);
  chunk.writeUInt32BE(crc32(chunk.subarray(4, -4)), data.length + 8);
  return chunk;
}
